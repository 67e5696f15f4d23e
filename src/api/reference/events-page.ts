import { webhookData } from '../../shared/communication/webhooks/webhook-data.rules.ts'
import type { PublicEventKind } from '../../shared/platform/contracts/event-kinds.ts'
import { eventMeanings } from '../communication/webhooks/event-meanings.ts'
import type { JsonSchema } from '../http/json-schema.ts'
import { type Document, hrefOf, nameIn, operationsOf } from './document.ts'
import { type Html, html } from './html.ts'
import { inlineMarkdown } from './markdown.ts'

type Row = Record<string, unknown>

/** Returns the body of the page about the types of webhook events: when each is sent, and an example. */
export function eventsBody(document: Document): Html {
  const test = operationsOf(document).find(({ operationId }) => operationId === 'testWebhook')
  return html`<h1>Events of webhooks</h1><p>How they arrive and are verified is in the <a href="/docs/guides/webhooks">guide to webhooks</a>. Contact details, notes, reasons and links of the record are null. ${
    test && html`<a href="${hrefOf(test)}"><code>POST ${test.path}</code></a> sends <code>webhook.test</code>.`
  }</p>${Object.entries(document.webhooks).map(([type, { post }]) => {
    const schema = post.requestBody?.content['application/json']?.schema?.properties?.data
    const data = schema && exampleOf(document, schema, eventMeanings[type as PublicEventKind].like)
    return html`<section class="card" id="${type}"><h2>${type}</h2><p>${inlineMarkdown(post.description ?? '')}</p>${
      data && html`<details><summary>Example</summary><pre><code>${eventText(type, data)}</code></pre></details>`
    }</section>`
  })}`
}

function eventText(type: string, data: Row): string {
  const id = '9b2f6d3e-6c0f-4a55-9d0b-1f6a3f3f7c11'
  const timestamp = data.updatedAt ?? data.createdAt
  return JSON.stringify({ id, type, timestamp, data: webhookData(data) }, null, 2)
}

/** Returns a record of the document's examples with this schema: one with these fields or, when there is none, any. */
function exampleOf(document: Document, schema: JsonSchema, like: Row = {}): Row | undefined {
  const { properties = {}, required = [], examples = [] } = document.components.schemas[nameIn(schema) ?? ''] ?? schema
  const records = [...(examples as Row[]), ...recordsOf(document)].filter((record) =>
    required.every((key) => Object.hasOwn(record, key)),
  )
  const fits = (record: Row) => Object.entries(like).every(([key, value]) => record[key] === value)
  const found = records.find(fits) ?? records[0]
  return found && Object.fromEntries(Object.entries(found).filter(([key]) => Object.hasOwn(properties, key)))
}

/** Returns the records in the examples of answers. */
function recordsOf(document: Document): Row[] {
  return operationsOf(document).flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content }) => {
      const { data } = (content?.['application/json']?.example ?? {}) as { data?: Row | Row[] | null }
      return [data ?? []].flat().filter((record) => typeof record === 'object' && record !== null)
    }),
  )
}
