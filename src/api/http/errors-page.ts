import { errorsByContext } from '../../shared/composition/error-catalogue.ts'
import type { CatalogueEntry } from '../../shared/platform/kernel/error-catalogue.ts'
import { errorCodes, errorCodesBySubject } from '../../shared/platform/kernel/error-codes.ts'
import { problemOnlyCodes } from '../../shared/platform/kernel/problem-codes.ts'
import { httpErrors } from './http.errors.ts'
import { shownMessage } from './openapi-errors.ts'

/** The parts of the OpenAPI document that the page reads. */
export interface DocumentedErrors {
  paths: Record<string, Record<string, { responses: Record<string, DocumentedResponse> }>>
  components: { responses: Record<string, DocumentedResponse> }
}

interface DocumentedResponse {
  $ref?: string
  description?: string
}

/** An error code that the document names in the description of a response. */
export interface DocumentedCode {
  code: string
  status: number
  /** `PATCH /users/{id}` */
  endpoint: string
}

/** Returns the error codes that the document names, one entry per endpoint, status and code. */
export function documentedCodes({ paths, components }: DocumentedErrors): DocumentedCode[] {
  const ofOperations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, { responses }]) =>
      Object.entries(responses).flatMap(([status, response]) => {
        const shared = components.responses[response.$ref?.split('/').at(-1) ?? '']
        const { description = '' } = shared ?? response
        const codes = [...description.matchAll(/`([A-Z][A-Z_]+)`/g)].map((match) => match[1] ?? '')
        return [...new Set(codes)]
          .filter((code) => code in errorCodes)
          .map((code) => ({ code, status: Number(status), endpoint: `${verb.toUpperCase()} ${path}` }))
      }),
    ),
  )
  // No operation has it: it is the answer to a request that is none.
  return [...ofOperations, { code: 'METHOD_NOT_ALLOWED', status: 405, endpoint: 'any address' }]
}

/** Returns the page of the errors in Markdown: `docs/errors.md`. */
export function errorsPage(document: DocumentedErrors): string {
  const documented = documentedCodes(document)
  const sections = Object.entries(errorCodesBySubject).map(([subject, codes]) =>
    [`## ${subject}`, '', ...table(codes, documented)].join('\n'),
  )
  return `${[introduction, ...sections, problems(), messages()].join('\n\n')}\n`
}

type Codes = Record<string, { status: readonly number[]; meaning: string }>

function table(codes: Codes, documented: DocumentedCode[]): string[] {
  const rows = Object.entries(codes).flatMap(([code, { status: statuses, meaning }]) =>
    statuses.map((status, index) => {
      const endpoints = documented.filter((one) => one.code === code && one.status === status)
      const said = index === 0 ? meaning : 'As above.'
      return `| \`${code}\` | ${status} | ${said} | ${listed(endpoints.map(({ endpoint }) => endpoint))} |`
    }),
  )
  return ['| code | status | what happened, what to do | endpoints |', '|---|---|---|---|', ...rows]
}

/** The most endpoints that are listed for a code. For a code with more, only the first `FIRST_FEW` are listed. */
const MOST_LISTED = 15
const FIRST_FEW = 3

function listed(endpoints: string[]): string {
  const shown = endpoints.length > MOST_LISTED ? endpoints.slice(0, FIRST_FEW) : endpoints
  const names = shown.map((endpoint) => `\`${endpoint}\``).join(', ')
  return endpoints.length > MOST_LISTED ? `many, such as ${names}` : names
}

function problems(): string {
  const rows = Object.entries(problemOnlyCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  return [
    '## Only in lists of problems',
    '',
    'Each problem of `details.problems`, and of the answer of `POST /reservations/check`, has a code: one of those above, or',
    'one of these.',
    '',
    '| code | meaning |',
    '|---|---|',
    ...rows,
  ].join('\n')
}

/** The errors of every context, and those of requests that are refused before a use case runs. */
export const errorCatalogue: typeof errorsByContext = { http: httpErrors, ...errorsByContext }

function messages(): string {
  const sections = Object.entries(errorCatalogue).map(([context, entries]) =>
    [`### ${context}`, '', ...messageTable(Object.values(entries))].join('\n'),
  )
  return [messagesIntroduction, ...sections].join('\n\n')
}

function messageTable(entries: readonly CatalogueEntry[]): string[] {
  const rows = entries.map(
    ({ id, status, code, message }) =>
      `| \`${id.split('.')[1]}\` | ${status ?? ''} | ${code ? `\`${code}\`` : ''} | ${shownMessage(message)} |`,
  )
  return ['| id | status | code | message |', '|---|---|---|---|', ...rows]
}

const messagesIntroduction = `## Messages

Every message that the service writes, by context. Parameters are in *italics*. The ids help translators and are not part of
responses. A message without a status is an entry in a list of problems, or part of another message. Messages of \`field\`
follow the path of the field: \`name: is required\`.`

const introduction = `# Errors

\`npm run openapi\` writes this page from \`src/shared/platform/kernel/error-codes.ts\` and the endpoints; do not edit it.

An error is \`{ "message": …, "code": …, "details": … }\`. The message is plain English and can be shown to a user; its words can
change. \`code\` is present where a client can act on it, and does not change. New codes are added without notice: treat an unknown
code as if there were none. Without a code, the status says what to do:

- 400: the request is not valid; the message names the field.
- 401: sign in again.
- 403: the caller may not do this.
- 404: no such record in the organization of the token, or nothing at the address.
- 405: the address has no such method; \`Allow\` lists those that it has.
- 406: the answer has none of the media types that \`Accept\` names.
- 408, 413, 415: the body came too late, is too large, or is not JSON.
- 409: somebody changed the same thing at the same time. Try again.
- 412: somebody changed the record after it was read: read it again.
- 429, 503: wait as long as \`Retry-After\` says, then try again.
- 500: a fault of the service. Report it with the \`x-request-id\` of the response.`
