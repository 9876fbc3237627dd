declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export interface SwaggerSystem {
    authActions: { logout(securitySchemes: string[]): void };
    layoutActions: { show(path: string[], shown: boolean): void };
    preauthorizeApiKey(securityScheme: string, key: string): void;
  }

  export interface SwaggerRequest {
    url: string;
    body?: string;
  }

  /** Only the settings in use. */
  export interface SwaggerOptions {
    domNode: HTMLElement;
    spec: object;
    layout: string;
    deepLinking: boolean;
    displayRequestDuration: boolean;
    docExpansion: 'list' | 'full' | 'none';
    persistAuthorization: boolean;
    plugins: unknown[];
    syntaxHighlight: { activated: boolean; theme: string } | false;
    validatorUrl: null;
    onComplete: () => void;
    requestInterceptor: (request: SwaggerRequest) => SwaggerRequest;
  }

  export default function SwaggerUI(options: SwaggerOptions): SwaggerSystem;
}
