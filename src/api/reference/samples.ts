import { bodyOf, type Document, jsonMedia, type Operation, parametersOf } from './document.ts'
import { type Field, fieldsOf } from './fields.ts'

/** Returns a shell command with `curl` that calls an operation, with the example of its body. */
export function curlSample(document: Document, server: string, operation: Operation): string {
  const { method } = operation
  const body = exampleOf(operation)
  const parts = partsOf(document, operation)
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(addressOf(document, server, operation))}`,
    ...(needsToken(operation) ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
    ...parts.map((part) => `-F ${quoted(`${part.path}=${isFile(part) ? '@document.pdf' : '…'}`)}`),
  ].join(' \\\n  ')
}

/** Returns TypeScript code that calls an operation with `fetch`. It needs no other packages. */
export function typescriptSample(document: Document, server: string, operation: Operation): string {
  const body = exampleOf(operation)
  const parts = partsOf(document, operation)
  const headers = [
    ...(needsToken(operation) ? [`authorization: \`Bearer \${token}\``] : []),
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
  ]
  const options = [
    ...(operation.method === 'GET' ? [] : [`  method: '${operation.method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
    ...(parts.length > 0 ? ['  body: form,'] : []),
  ]
  const address = JSON.stringify(addressOf(document, server, operation)).replaceAll('"', "'")
  const call = options.length > 0 ? `fetch(${address}, {\n${options.join('\n')}\n})` : `fetch(${address})`
  const answersJson = Object.entries(operation.responses).some(
    ([status, { content }]) => status < '300' && content?.[jsonMedia],
  )
  const filled = parts.map((part) => `form.append('${part.path}', ${isFile(part) ? 'file' : `fields['${part.path}']`})`)
  return [
    ...(parts.length > 0 ? ['const form = new FormData()', ...filled] : []),
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

/** Returns the example of a JSON body. */
function exampleOf({ requestBody }: Operation): unknown {
  return requestBody?.content[jsonMedia]?.example
}

/** Returns the parts of a body that is a form; none for another body. */
function partsOf(document: Document, operation: Operation): Field[] {
  const body = bodyOf(operation)
  return body?.type === 'multipart/form-data' && body.schema ? fieldsOf(document, body.schema) : []
}

function isFile({ type }: Field): boolean {
  return type === 'file'
}

function needsToken({ security }: Operation): boolean {
  return security?.length !== 0
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
