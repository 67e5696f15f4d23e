import type { JsonSchema } from '../http/json-schema.ts'
import { type Document, nameIn } from './document.ts'

/** One field of a body or an answer, as a line of a list. */
export interface Field {
  /** The dot path, with `[]` for the items of an array. */
  path: string
  type: string
  required: boolean
  description: string
}

/** The depth of the deepest listed path. Deeper fields are listed with their own schema. */
const DEEPEST = 4

/** Returns the fields of a schema in order, each followed by its own fields. */
export function fieldsOf(document: Document, schema: JsonSchema, path = '', seen: readonly string[] = []): Field[] {
  const name = nameIn(schema)
  if (name !== undefined && seen.includes(name)) return []
  const names = name === undefined ? seen : [...seen, name]
  const shape = resolved(document, schema)
  const options = optionsOf(shape)
  if (options.length > 0) return options.flatMap((option) => fieldsOf(document, option, path, names))
  if (shape.items) return fieldsOf(document, shape.items, `${path}[]`, names)
  if (path.split('.').length > DEEPEST) return []
  return Object.entries(shape.properties ?? {}).flatMap(([key, part]) => {
    const at = path === '' ? key : `${path}.${key}`
    const field = {
      path: at,
      type: typeOf(document, part),
      required: shape.required?.includes(key) ?? false,
      description: part.description ?? resolved(document, part).description ?? '',
    }
    return [field, ...fieldsOf(document, part, at, names)]
  })
}

/** Returns a schema's type in words: `integer`, `text or null`, `one of a, b`. */
export function typeOf(document: Document, schema: JsonSchema): string {
  const shape = resolved(document, schema)
  if (shape.enum) return `one of ${shape.enum.map(String).join(', ')}`
  if (shape.const !== undefined) return String(shape.const)
  const options = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]
  if (options.length > 0) return [...new Set(options.map((option) => typeOf(document, option)))].join(' or ')
  if (shape.items) return `list of ${typeOf(document, shape.items)}`
  const [type = 'object', ...others] = [shape.type ?? []].flat()
  const words = [type === 'string' ? (formats[shape.format ?? ''] ?? 'text') : type, ...others]
  return `${words.join(' or ')}${rangeOf(shape)}`
}

const formats: Record<string, string> = {
  'date-time': 'instant',
  email: 'email address',
  uri: 'address',
  date: 'date',
  binary: 'file',
}

function rangeOf({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  const [least, most] = [minimum ?? minLength, maximum ?? maxLength]
  const unit = minimum === undefined && maximum === undefined ? ' characters' : ''
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}${unit}`
  if (most !== undefined) return `, at most ${most}${unit}`
  return least !== undefined ? `, at least ${least}${unit}` : ''
}

function optionsOf(shape: JsonSchema): JsonSchema[] {
  return [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...((shape.allOf as JsonSchema[] | undefined) ?? [])]
}

function resolved({ components }: Document, schema: JsonSchema): JsonSchema {
  return components.schemas[nameIn(schema) ?? ''] ?? schema
}
