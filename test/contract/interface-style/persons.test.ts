import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type JsonSchema, partsOf } from '../../../src/api/http/json-schema.ts'
import type { Document } from '../support/document.ts'

const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../interface/openapi.json'), 'utf8'),
)

/** A field of an answer with its place: `Closure.createdBy`. */
interface Field {
  place: string
  schema: JsonSchema
}

/** The schemas of answers. A body says who is to do something, such as the signer of an endorsement. */
const named = Object.entries(document.components.schemas).filter(([name]) => !/(Input|Body)$/.test(name))
const fields = named.flatMap(([name, schema]) => fieldsOf(name, schema))

function fieldsOf(place: string, schema: JsonSchema): Field[] {
  const own = Object.entries(schema.properties ?? {}).map(([key, part]) => ({ place: `${place}.${key}`, schema: part }))
  const inner = partsOf(schema).filter((part) => !Object.values(schema.properties ?? {}).includes(part))
  return [
    ...own.flatMap((field) => [field, ...fieldsOf(field.place, field.schema)]),
    ...inner.flatMap((part) => fieldsOf(place, part)),
  ]
}

/** Returns the name of the schema that a field refers to, whether or not the field may be null. */
function referenceOf({ $ref, anyOf }: JsonSchema): string | undefined {
  const ref = $ref ?? anyOf?.find((one) => one.$ref)?.$ref
  return ref?.split('/').at(-1)
}

/** Names of fields that say who did something. */
const saysWho = /\.(by|author|actor|person|member|requester)$|[a-z]By$/

/** Fields with such a name that say something else, or more. */
const others: Record<string, string> = {
  'AuditEntry.actor': 'a person, a key or the service itself, as it was called then',
  'Currency.overridableBy': 'roles that may',
  'CurrencyRecord.needs.by': 'a limit, not a person',
  'ChangedResource.groundedBy': 'a person or the system, as a word',
  'Resource.groundedBy': 'a person or the system, as a word',
  'ResourceDetail.groundedBy': 'a person or the system, as a word',
  'ReminderCompletion.satisfiedBy': 'a reminder',
  'Organization.settings.prepaidBy': 'who may, not who did',
  'ReportParameters.groupBy': 'how rows are grouped',
  'RevenueRow.groupBy': 'how rows are grouped',
  'Rule.overridableBy': 'roles that may',
}

describe('who did something', () => {
  const found = fields.filter(({ place }) => saysWho.test(place))

  test('has the shape of a person, or of a signer where the certificate counts', () => {
    expect(found.length).toBeGreaterThan(30)
    const wrong = found.filter(
      ({ place, schema }) => !['Person', 'Signer'].includes(referenceOf(schema) ?? '') && !(place in others),
    )
    expect(wrong.map(({ place }) => place)).toEqual([])
    expect(Object.keys(others).filter((place) => !found.some((field) => field.place === place))).toEqual([])
  })

  test('has one name for that shape', () => {
    const keysOf = ({ properties = {} }: JsonSchema) => Object.keys(properties).sort().join(' ')
    const persons = named.filter(([, schema]) => keysOf(schema) === 'name orgUserId').map(([name]) => name)
    expect(persons).toEqual(['Person'])
    const inline = fields.filter(({ schema }) =>
      [schema, ...(schema.anyOf ?? []), schema.items ?? {}].some((one) =>
        ['name orgUserId', 'certificateNumber name', 'certificateNumber name orgUserId'].includes(keysOf(one)),
      ),
    )
    expect(inline.map(({ place }) => place)).toEqual([])
  })

  test('is a person with the number of the certificate where the rule wants it', () => {
    const { properties = {} } = document.components.schemas.Signer ?? {}
    expect(Object.keys(properties)).toEqual(['orgUserId', 'name', 'certificateNumber'])
    const signed = fields.filter(({ schema }) => referenceOf(schema) === 'Signer').map(({ place }) => place)
    expect(signed.sort()).toEqual([
      'Endorsement.signedBy',
      'ReminderCompletion.signedBy',
      'SignedTrainingRecord.countersignedBy',
      'SignedTrainingRecord.signedBy',
      'TrainingRecord.countersignedBy',
      'TrainingRecord.signedBy',
    ])
  })
})
