import { errorCodesBySubject } from '../../shared/platform/kernel/error-codes.ts'
import {
  bodyOf,
  type Document,
  hrefOf,
  jsonMedia,
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
 * with their statuses, and the sections of the guides.
 */
export function entriesOf(document: Document, guides: readonly Guide[]): Entry[] {
  return [
    ...operationsOf(document).map((operation) => operationEntry(document, operation)),
    ...Object.values(errorCodesBySubject).flatMap((codes) => Object.entries(codes).map(codeEntry)),
    ...guides.flatMap(guideEntries),
  ]
}

function operationEntry(document: Document, operation: Operation): Entry {
  const { method, path, summary, operationId, tags } = operation
  return {
    title: summary,
    href: hrefOf(operation),
    text: `${method} ${path} ${tags[0]}`,
    names: `${method} ${path} ${operationId}`,
    fields: namesOf(document, operation),
  }
}

/** Returns the names of an operation's parameters, of the fields of its body and answers, and of its headers. */
function namesOf(document: Document, operation: Operation): string[] {
  const responses = Object.values(operation.responses).map((response) => responseOf(document, response))
  const answers = responses.map(({ content }) => content?.[jsonMedia])
  const schemas = [bodyOf(operation), ...answers].map((media) => media?.schema).filter((schema) => schema !== undefined)
  const fields = schemas.flatMap((schema) => fieldsOf(document, schema).map(({ path }) => path.split('.').at(-1) ?? ''))
  return [
    ...new Set([
      ...parametersOf(document, operation).map(({ name }) => name),
      ...fields.map((field) => field.replaceAll('[]', '')),
      ...responses.flatMap(({ headers = {} }) => Object.keys(headers)),
    ]),
  ]
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
