import { ButtonLink } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { ArrowRightIcon } from '../ui/icons';

const promises = [
  {
    title: 'Each transaction once, on any network',
    text: 'Each transactionId has one outcome, for good. Send it again, and you get the first response, byte for byte.',
  },
  {
    title: 'Exact amounts',
    text: 'Whole numbers in the currency’s minor unit, in and out. Unknown fields and wrong types are rejected, never guessed.',
  },
  {
    title: 'Errors that a cashier can read',
    text: 'A stable code for your program, a plain sentence for the screen, and every invalid field named at once.',
  },
];

const copyWords = { idle: 'Copy', copied: 'Copied', failed: 'Select and copy' };

interface DeveloperStartProps {
  origin: string;
  environment: 'sandbox' | 'production';
}

/** The steps from an API key to a first response. */
export function DeveloperStart({ origin, environment }: DeveloperStartProps) {
  const keyPlaceholder = environment === 'sandbox' ? 'sk_sandbox_…' : 'sk_live_…';
  const url = `${origin}/api/v1/ping`;
  return (
    <section aria-labelledby="developers" className="mx-auto max-w-7xl px-5 py-16 sm:px-8 sm:py-24">
      <div className="grid gap-12 lg:grid-cols-2 lg:gap-16">
        <div>
          <h2 id="developers" className="text-2xl font-semibold tracking-tight sm:text-3xl">
            From key to first response in one line
          </h2>
          <p className="mt-4 max-w-prose leading-relaxed text-muted">
            Ask your service provider for an API key and run this. The response says whose key it is. The guides take
            you from here to a whole bill, with samples in six languages.
          </p>
          <div className="mt-8">
            <CodeBlock
              title="Test your key"
              copy={{ text: `curl -H 'x-api-key: ${keyPlaceholder}' ${url}`, words: copyWords }}
            >
              <span className="text-on-code-muted">$ </span>
              curl -H <span className="text-zest">{`'x-api-key: ${keyPlaceholder}'`}</span> {url}
            </CodeBlock>
          </div>
          <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-4">
            <ButtonLink href="/docs/first-call" variant="secondary">
              Make the first call
              <ArrowRightIcon />
            </ButtonLink>
            <a
              href="/api/openapi.json"
              className="rounded-sm text-[0.9375rem] font-medium underline decoration-edge underline-offset-4 hover:decoration-ink"
            >
              OpenAPI document
            </a>
          </div>
        </div>
        <dl className="self-center">
          {promises.map(({ title, text }) => (
            <div key={title} className="border-t border-line py-6 first:border-t-0 lg:first:pt-0">
              <dt className="font-semibold tracking-tight">{title}</dt>
              <dd className="mt-1.5 leading-relaxed text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
