import type { SwaggerSystem } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

// Swagger UI includes its own React: its components are created by the system's React, not ours.
type Element = unknown;
type Component = (props: Record<string, unknown>) => Element;
type CreateElement = (type: unknown, props: Record<string, unknown> | null, ...children: unknown[]) => Element;

interface PluginSystem extends SwaggerSystem {
  React: { createElement: CreateElement };
  getComponent: (name: string, connected?: boolean) => unknown;
  specSelectors: { info(): { get(key: string): string | undefined } };
}

interface ImmutableSchema {
  get(key: string): unknown;
}

const nothing: Component = () => null;

/** Renders description and operations only: title, key, navigation and the main landmark are the page's own. */
function referenceLayout({ React: { createElement }, getComponent, specSelectors }: PluginSystem): Component {
  return () =>
    createElement(
      'div',
      { className: 'swagger-ui' },
      createElement(getComponent('SvgAssets'), null),
      createElement(getComponent('errors', true), null),
      createElement(
        'div',
        { className: 'reference-description' },
        createElement(getComponent('Markdown', true), { source: specSelectors.info().get('description') ?? '' }),
      ),
      createElement('h2', { className: 'sr-only' }, 'Operations'),
      createElement(getComponent('operations', true), null),
    );
}

/** Wraps a parameter's control in a label: its enum and boolean selects have no accessible name. */
function labelledControl(Original: unknown, { React: { createElement } }: PluginSystem): Component {
  return (props) => {
    const type = (props.schema as ImmutableSchema | undefined)?.get('type');
    const control = createElement(Original, props);
    if (!props.description || type === 'array' || type === 'object') return control;
    return createElement('label', null, createElement('span', { className: 'sr-only' }, props.description), control);
  };
}

function namedTextArea(Original: unknown, { React: { createElement } }: PluginSystem): Component {
  return (props) => createElement(Original, { 'aria-label': 'Request body', spellCheck: false, ...props });
}

/** Adapts Swagger UI to the page: one origin, one key, no link inside a button, a name for each control. */
export function referencePlugin(system: PluginSystem) {
  return {
    components: {
      ReferenceLayout: referenceLayout(system),
      authorizeOperationBtn: nothing,
      DeepLink: ({ text }: Record<string, unknown>) => text,
    },
    wrapComponents: {
      JsonSchemaForm: labelledControl,
      TextArea: namedTextArea,
    },
  };
}
