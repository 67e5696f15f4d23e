import { z } from 'zod'
import { type Answer, type Format, mediaOf } from './answers.ts'
import type { AnyCall, AnyDeclaration } from './declaration.ts'
import { httpErrors } from './http.errors.ts'
import { type AcceptedRange, acceptedRanges, problemType } from './problem.ts'

/** The parameters of a content type, as answers have them. */
const parametersOf: Partial<Record<Format, string>> = {
  csv: '; charset=utf-8; header=present',
  svg: '; charset=utf-8',
}

const parameters = new Map<string, z.ZodType>()

const ofCsv =
  'CSV has a byte order mark for Excel, the fields of a row as columns unless the description says otherwise, and an ' +
  'apostrophe before a text that a spreadsheet would read as a formula'

/** Returns the schema of the query parameter `format`, one for each choice of formats. */
function formatParameter(formats: readonly Format[]): z.ZodType {
  const name = formats.map((format) => `${format[0]?.toUpperCase()}${format.slice(1)}`).join('')
  const known = parameters.get(name)
  if (known) return known
  const made = z
    .enum(formats as readonly [Format, ...Format[]])
    .optional()
    .describe(
      `The format of the answer. It can be asked for by \`Accept\` too. Default: \`${formats[0]}\`` +
        (formats.includes('csv') ? `. ${ofCsv}` : ''),
    )
    .meta({ id: `${name}Format` })
  parameters.set(name, made)
  return made
}

/** Returns the declaration with the parameter, the media types and the error that its formats bring. */
export function withFormats<D extends AnyDeclaration>(declaration: D): D {
  const { formats, query = z.object({}), errors = [] } = declaration
  if (!formats) return declaration
  if (!(query instanceof z.ZodObject)) throw new Error(`${declaration.id}: the query of formats is an object`)
  const [first, ...others] = formats.map((format) => mediaOf[format])
  return {
    ...declaration,
    query: query.extend({ format: formatParameter(formats) }),
    ...(formats[0] === 'json' ? { otherMedia: others } : { media: first }),
    errors: [...errors, httpErrors.formatNotAccepted],
  }
}

/**
 * Returns the call with the format that its request asks for.
 * @throws AppError 406, as `formatOf` does
 */
export function inFormat({ formats }: AnyDeclaration, call: AnyCall): AnyCall {
  if (!formats) return call
  const { format } = call.query as unknown as { format?: Format }
  return { ...call, format: formatOf(formats, format, call.request.headers.accept) }
}

/**
 * Returns the format that a request asks for; undefined when it asks for none. The parameter `format` decides, and
 * `Accept` where it is absent: the most wanted media type, and of several the first in the order of the formats.
 * Implements RFC 9110 §12.5.1.
 * @throws AppError 406 when `Accept` names neither the format of the parameter nor any of the formats
 */
export function formatOf(formats: readonly Format[], asked: Format | undefined, accept?: string): Format | undefined {
  // Problem details are the form of errors, and choose no format.
  const ranges = acceptedRanges(accept).filter(({ type }) => type !== problemType)
  if (ranges.length === 0) return asked
  const wanted = (asked ? [asked] : [...formats]).map((format) => ({ format, ...wishFor(mediaOf[format], ranges) }))
  const best = wanted.reduce((one, other) => (other.weight > one.weight ? other : one))
  if (best.weight === 0) {
    throw httpErrors.formatNotAccepted({ types: formats.map((format) => mediaOf[format]).join(', ') })
  }
  // A range that names no type leaves the choice to the operation, unless its first format is wanted less.
  return best.named || best.format !== formats[0] ? best.format : asked
}

/** Returns how much a media type is wanted, by the range that fits it best, and whether that range names the type. */
function wishFor(media: string, ranges: readonly AcceptedRange[]): { weight: number; named: boolean } {
  const weightOf = (type: string) => ranges.find((range) => range.type === type)?.weight
  const named = weightOf(media) ?? weightOf(`${media.split('/')[0]}/*`)
  return { weight: named ?? weightOf('*/*') ?? 0, named: named !== undefined }
}

/** How a file is named, and whether a browser shows it or saves it. */
interface FileOptions {
  name: string
  shown?: boolean
}

/** Returns 200 with a document or a table. No shared cache stores it. */
export function fileAnswer(body: unknown, format: Exclude<Format, 'json'>, { name, shown }: FileOptions): Answer {
  return {
    status: 200,
    body,
    headers: {
      'content-type': `${mediaOf[format]}${parametersOf[format] ?? ''}`,
      'content-disposition': `${shown ? 'inline' : 'attachment'}; filename="${name}.${format}"`,
      'cache-control': 'private, no-store',
    },
  }
}
