import { type Document, type Operation, parametersOf } from './document.ts'

/** Returns a shell command with `curl` that calls an operation, with the example of its body. */
export function curlSample(document: Document, server: string, operation: Operation): string {
  const { method } = operation
  const body = bodyOf(operation)
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(addressOf(document, server, operation))}`,
    ...(needsToken(operation) ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

/** Returns TypeScript code that calls an operation with `fetch`. It needs no other packages. */
export function typescriptSample(document: Document, server: string, operation: Operation): string {
  const body = bodyOf(operation)
  const headers = [
    ...(needsToken(operation) ? [`authorization: \`Bearer \${token}\``] : []),
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
  ]
  const options = [
    ...(operation.method === 'GET' ? [] : [`  method: '${operation.method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
  ]
  const address = JSON.stringify(addressOf(document, server, operation)).replaceAll('"', "'")
  const call = options.length > 0 ? `fetch(${address}, {\n${options.join('\n')}\n})` : `fetch(${address})`
  const answersJson = Object.values(operation.responses).some(({ content }) => content?.['application/json'])
  return [
    `const response = await ${call}`,
    'if (!response.ok) throw new Error((await response.json()).message)',
    ...(answersJson ? ['const { data } = await response.json()'] : []),
  ].join('\n')
}

function addressOf(document: Document, server: string, operation: Operation): string {
  const parameters = parametersOf(document, operation)
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { example = 1 } = parameters.find((parameter) => parameter.name === name) ?? {}
    return encodeURIComponent(String(example))
  })
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required)
  const text = query.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&')
  return `${server.replace(/\/$/, '')}${path}${text && `?${text}`}`
}

function bodyOf({ requestBody }: Operation): unknown {
  return requestBody?.content['application/json']?.example
}

function needsToken({ security = [] }: Operation): boolean {
  return security.length > 0
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
