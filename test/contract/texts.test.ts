import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { endpoints } from '../../src/api/app.ts'

type Schema = z.core.$ZodType

interface Leaf {
  place: string
  schema: z.ZodType
}

/** Returns every text that a schema takes, with its dot path; the words of enumerations are none. */
function textsOf(schema: Schema, place: string): Leaf[] {
  const def = schema._zod.def as z.core.$ZodTypeDef & Record<string, unknown>
  switch (def.type) {
    case 'string':
      return [{ place, schema: schema as z.ZodType }]
    case 'object':
      return Object.entries((def as unknown as { shape: Record<string, Schema> }).shape).flatMap(([key, one]) =>
        textsOf(one, `${place}.${key}`),
      )
    case 'array':
      return textsOf(def.element as Schema, `${place}[]`)
    case 'record':
      return [...textsOf(def.keyType as Schema, `${place}{}`), ...textsOf(def.valueType as Schema, `${place}.*`)]
    case 'union':
    case 'discriminated_union' as never:
      return (def.options as Schema[]).flatMap((one) => textsOf(one, place))
    case 'intersection':
      return [...textsOf(def.left as Schema, place), ...textsOf(def.right as Schema, place)]
    case 'pipe':
      return pipeOf(def.in as Schema, def.out as Schema, schema, place)
    default:
      return 'innerType' in def ? textsOf(def.innerType as Schema, place) : []
  }
}

/** A text that goes on into another schema is judged with it; of anything else its parts are. */
function pipeOf(from: Schema, to: Schema, whole: Schema, place: string): Leaf[] {
  if (from._zod.def.type === 'transform') return textsOf(to, place)
  const texts = textsOf(from, place)
  return texts.length === 1 && texts[0]!.place === place ? [{ place, schema: whole as z.ZodType }] : texts
}

const texts = endpoints.flatMap(({ method, url, declaration: { body, query } }) =>
  Object.entries({ body, query }).flatMap(([part, schema]) =>
    schema ? textsOf(schema, `${method} ${url} ${part}`) : [],
  ),
)

/** A password is hashed in its stable form; a file of an import is read cell by cell; a browser returns to the very address. */
const asSent =
  /\.password$|body\.(return|refresh)Url$|^POST \/imports body\.(text|rows)|^\w+ \/uploads\/|query\.(sort|cursor)$/

const accepted = ({ schema }: Leaf, value: string) => {
  const { success, data } = schema.safeParse(value)
  return success ? { data: data as unknown } : null
}

describe('the texts that the interface takes (§Conventions that hold across the interface)', () => {
  test('are many', () => {
    expect(texts.length).toBeGreaterThan(200)
  })

  test('have composed letters, however they were sent', () => {
    const decomposed = ['Jose\u0301', 'Jose\u0301@example.com', 'https://example.com/Jose\u0301']
    const kept = texts.filter((text) => {
      if (asSent.test(text.place)) return false
      return decomposed.some((value) => JSON.stringify(accepted(text, value) ?? '').includes('e\u0301'))
    })
    expect(kept.map(({ place }) => place)).toEqual([])
  })

  test('that must not be blank must show something', () => {
    const seen = texts.filter((text) => !accepted(text, '   ') && accepted(text, 'Ana') && !asSent.test(text.place))
    expect(seen.length).toBeGreaterThan(50)
    const taken = seen.flatMap((text) =>
      ['\u200b', '\u3164', '\u2060\u00ad', ' \ufeff ', '\u2800', '\u200e'].flatMap((value) =>
        accepted(text, value) ? [`${text.place} ${JSON.stringify(value)}`] : [],
      ),
    )
    expect(taken).toEqual([])
  })

  test('lose the marks of direction around a number, or are refused', () => {
    const marked = [
      '\u202a+1 510 555 0100\u202c',
      '\u200e+1 510 555 0100',
      '\u2066+1 510 555 0100\u2069',
      '\u202d0171 1',
    ]
    const kept = texts.filter((text) => {
      if (asSent.test(text.place)) return false
      return marked.some((value) =>
        /[\u200e\u202a-\u202e\u2066-\u2069]/.test(JSON.stringify(accepted(text, value) ?? '')),
      )
    })
    expect(kept.map(({ place }) => place)).toEqual([])
  })
})

describe('when something took place (§Conventions that hold across the interface)', () => {
  const happened =
    /body.*\.(trainingAt|examinedAt|courseAt|completedAt|takenAt|doneAt|lastDoneAt|receivedAt|occurredAt)$/
  const moments = texts.filter(({ place }) => happened.test(place))

  test('is an instant or a local day, in every body', () => {
    expect(new Set(moments.map(({ place }) => place.split('.').at(-1))).size).toBe(9)
    const deaf = moments.filter(
      (text) =>
        !accepted(text, '2026-11-20') || !accepted(text, '2026-11-20T10:00:00-05:00') || accepted(text, '2026-11-31'),
    )
    expect(deaf.map(({ place }) => place)).toEqual([])
  })
})
