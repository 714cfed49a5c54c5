/** An answer other than 2xx. Body: `{error: code}` plus, where given, `detail` and `scimType` (spec: Errors). */
export class ApiError extends Error {
	readonly status: number;
	/** null: the body names no error (429, spec: Errors). */
	readonly code: string | null;
	readonly scimType?: string;
	readonly headers: Record<string, string>;

	constructor(
		status: number,
		code: string | null,
		detail = '',
		extra: { scimType?: string; headers?: Record<string, string> } = {},
	) {
		super(detail);
		this.status = status;
		this.code = code;
		this.scimType = extra.scimType;
		this.headers = extra.headers ?? {};
	}
}

export const invalid = (detail: string, scimType = 'invalidValue') =>
	new ApiError(400, 'INVALID_INPUT', detail, { scimType });

export const notFound = (what: string) => new ApiError(404, 'NOT_FOUND', `${what} not found`);

/** @param scim whether the answer takes the form of RFC 7644, section 3.12. */
export function errorBody(error: ApiError, scim: boolean): object {
	if (error.code === null) return {};
	if (!scim) return { error: error.code, ...(error.message && { detail: error.message }) };
	return {
		schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
		status: String(error.status),
		error: error.code,
		...(error.scimType && error.status < 500 && { scimType: error.scimType }),
		...(error.message && { detail: error.message }),
	};
}
