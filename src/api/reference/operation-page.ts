import type { JsonSchema } from '../http/json-schema.ts'
import {
  bodyOf,
  type Document,
  exampleOfAnswer,
  jsonMedia,
  type Media,
  type Operation,
  parametersOf,
  responseOf,
} from './document.ts'
import { fieldsOf, typeOf } from './fields.ts'
import { type Html, html } from './html.ts'
import { inlineMarkdown, markdown } from './markdown.ts'
import { curlSample, typescriptSample } from './samples.ts'

/**
 * Returns the section of one operation: its parameters, answers and errors, and code samples of a call. A folded
 * section shows its title; a browser that follows a link to the operation unfolds it.
 */
export function operationSection(document: Document, server: string, operation: Operation, folded: boolean): Html {
  const { method, path, operationId, summary, description = '' } = operation
  const body = bodyOf(operation)
  const responses = Object.entries(operation.responses).map(([status, given]) => {
    return { status, ...responseOf(document, given) }
  })
  const success = responses.find(({ status, content }) => status < '300' && content?.[jsonMedia])
  return html`<details class="card operation"${!folded && html` open`}>
<summary><h2>${summary}</h2><span class="route"><span class="method">${method}</span><code>${path}</code></span></summary>
<div id="${operationId}">
${markdown(description)}
${parameterList(document, operation)}
${body?.schema && bodyFields(document, body, body.schema)}
<h3>Answers</h3>
<dl class="fields">${responses.map(
    ({ status, description: said }) => html`<dt><code>${status}</code></dt><dd>${markdown(said)}</dd>`,
  )}</dl>
${answerOf(document, success?.content?.[jsonMedia])}
<details><summary>curl</summary><pre><code>${curlSample(document, server, operation)}</code></pre></details>
<details><summary>TypeScript</summary><pre><code>${typescriptSample(document, server, operation)}</code></pre></details>
</div></details>`
}

/** Returns the fields of a body: of a form its parts, under the media type. */
function bodyFields(document: Document, { type, example }: Media & { type: string }, schema: JsonSchema): Html {
  return html`<h3>Body</h3>${type !== jsonMedia && html`<p>As <code>${type}</code>, with these parts:</p>`}
${fieldList(document, schema)}${exampleOf('Example of the body', example)}`
}

function parameterList(document: Document, operation: Operation): Html | null {
  const parameters = parametersOf(document, operation)
  if (parameters.length === 0) return null
  return html`<h3>Parameters</h3><dl class="fields">${parameters.map(
    ({ name, in: place, required, schema, description }) =>
      html`<dt><code>${name}</code></dt><dd>${typeOf(document, schema)}, in the ${place}${required && ', required'}${
        description && html`<br>${inlineMarkdown(description)}`
      }</dd>`,
  )}</dl>`
}

function fieldList(document: Document, schema: JsonSchema): Html {
  return html`<dl class="fields">${fieldsOf(document, schema).map(
    ({ path, type, required, description }) =>
      html`<dt><code>${path}</code></dt><dd>${type}${required && ', required'}${
        description && html`<br>${inlineMarkdown(description)}`
      }</dd>`,
  )}</dl>`
}

function answerOf(document: Document, media: Media | undefined): Html | null {
  if (!media?.schema) return null
  return html`<details><summary>Fields of the answer</summary>${fieldList(document, media.schema)}</details>
${exampleOf('Example of the answer', exampleOfAnswer(document, media))}`
}

function exampleOf(title: string, example: unknown): Html | null {
  if (example === undefined) return null
  const text = JSON.stringify(example, null, 2)
  return html`<details><summary>${title}</summary><pre><code>${text}</code></pre></details>`
}
