/** Kinds of errors in OpenAI's API. */
export type ApiErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'rate_limit_error'
  | 'server_error';

export interface ApiErrorFields {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 429 | 500 | 503;
  readonly type?: ApiErrorType;
  /** A stable word for programs. */
  readonly code: string;
  /** The field of the request that is at fault. */
  readonly param?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

const typeOf: Partial<Record<ApiErrorFields['status'], ApiErrorType>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'server_error',
  503: 'server_error',
};

/** A failure as a client is told of it, in the shape of OpenAI's API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: ApiErrorFields['status'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: { message: string; type: ApiErrorType; param: string | null; code: string };
  };

  constructor(message: string, { status, type, code, param, headers = {} }: ApiErrorFields) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.body = {
      error: { message, type: type ?? typeOf[status] ?? 'invalid_request_error', param: param ?? null, code },
    };
  }

  toResponse(): Response {
    return Response.json(this.body, { status: this.status, headers: this.headers });
  }
}

/** A request that cannot be served as it stands. */
export const badRequest = (message: string, code: string, param?: string) =>
  new ApiError(message, { status: 400, code, param });
