import { errorCodesBySubject } from '../../shared/platform/kernel/error-codes.ts'
import {
  bodyOf,
  type Document,
  hrefOf,
  jsonMedia,
  type Media,
  type Operation,
  operationsOf,
  parametersOf,
  responseOf,
} from './document.ts'
import { fieldsOf } from './fields.ts'
import type { Guide } from './guides.ts'
import { slug } from './markdown.ts'
import type { Entry } from './search.ts'

/**
 * Returns what the search of the reference finds: operations with their parameters, fields and headers, error codes
 * with their statuses, the types of webhook events, and the sections of the guides.
 */
export function entriesOf(document: Document, guides: readonly Guide[]): Entry[] {
  return [
    ...operationsOf(document).map((operation) => operationEntry(document, operation)),
    ...Object.values(errorCodesBySubject).flatMap((codes) => Object.entries(codes).map(codeEntry)),
    ...Object.entries(document.webhooks).map(eventEntry),
    ...guides.flatMap(guideEntries),
  ]
}

function operationEntry(document: Document, operation: Operation): Entry {
  const { method, path, summary, operationId, tags, description = '' } = operation
  return {
    title: summary,
    href: hrefOf(operation),
    text: `${method} ${path} ${tags[0]}`,
    names: `${method} ${path} ${operationId}`,
    ...fieldNames(document, operation),
    more: description,
  }
}

/** Returns the names of an operation's parameters and of the fields of its body, and those of its answers. */
function fieldNames(document: Document, operation: Operation): Required<Pick<Entry, 'asked' | 'answered'>> {
  const responses = Object.values(operation.responses).map((response) => responseOf(document, response))
  const names = (media: readonly (Media | undefined)[]) => {
    const schemas = media.map((one) => one?.schema).filter((schema) => schema !== undefined)
    const paths = schemas.flatMap((schema) =>
      fieldsOf(document, schema).map(({ path }) => path.split('.').at(-1) ?? ''),
    )
    return paths.map((field) => field.replaceAll('[]', ''))
  }
  const parameters = parametersOf(document, operation).map(({ name }) => name)
  const headers = responses.flatMap((response) => Object.keys(response.headers ?? {}))
  return {
    asked: [...new Set([...parameters, ...names([bodyOf(operation)])])],
    answered: [...new Set([...names(responses.map(({ content }) => content?.[jsonMedia])), ...headers])],
  }
}

function eventEntry([type, { post }]: [string, Document['webhooks'][string]]): Entry {
  return {
    title: type,
    href: `/docs/events#${type}`,
    text: (post.description ?? '').replaceAll('`', ''),
    names: `${type} webhook event`,
  }
}

function codeEntry([code, { status, meaning }]: [string, { status: readonly number[]; meaning: string }]): Entry {
  return {
    title: code,
    href: `/docs/errors#${code}`,
    text: `${status.join(', ')}: ${meaning.replaceAll('`', '')}`,
    names: `${code} ${status.join(' ')}`,
  }
}

/** Returns an entry for the beginning of a guide, and one for each of its sections. */
function guideEntries({ name, title, text }: Guide): Entry[] {
  const [start = '', ...sections] = text.split(/^## /m)
  const parts = sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    return { title: `${title}: ${heading}`, anchor: `#${slug(heading)}`, text: lines.join(' ') }
  })
  return [{ title, anchor: '', text: start.replace(/^# .*/, '') }, ...parts].map((part) => ({
    title: part.title,
    href: `/docs/guides/${name}${part.anchor}`,
    text: part.text.replace(/[#`*|[\]]/g, '').trim(),
    names: name,
  }))
}
