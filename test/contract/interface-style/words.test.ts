import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../src/api/http/json-schema.ts'
import { partsOf } from '../../../src/api/http/json-schema.ts'
import { type Document, operationsOf } from '../support/document.ts'

const root = join(import.meta.dirname, '../../..')
const document: Document = JSON.parse(readFileSync(join(root, 'interface/openapi.json'), 'utf8'))
const operations = operationsOf(document)

/** The names of fields in a schema and in the schemas inside it. */
function fieldsIn(schema: JsonSchema): string[] {
  return [...Object.keys(schema.properties ?? {}), ...partsOf(schema).flatMap(fieldsIn)]
}

/** The names of all fields and query parameters. */
const words = new Set([
  ...Object.values(document.components.schemas).flatMap(fieldsIn),
  ...operations.flatMap(({ parameters = [], responses }) => [
    ...parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : [])),
    ...Object.values(responses).flatMap(({ content = {} }) =>
      Object.values(content).flatMap(({ schema }) => (schema ? fieldsIn(schema) : [])),
    ),
  ]),
])
const like = (pattern: RegExp) => [...words].filter((name) => pattern.test(name)).sort()

interface Rule {
  what: string
  /** The names that could be this thing. */
  pattern: RegExp
  /** The names that follow the rule. */
  ours: RegExp
  /** Other names, each with its reason. */
  others: Record<string, string>
}

const rules: Rule[] = [
  {
    what: 'the first instant at which something no longer counts is expiresAt, the last good day validUntil',
    pattern: /expir|valid(?!ity|Calendar)|good(?!s)|ends(At|On)$/i,
    ours: /^(expiresAt|validUntil)$/,
    others: {
      expired: 'a flag of an invitation',
      expires: 'a part of a signed link',
      expiresAfterDays: 'a span',
      expiringBefore: 'a filter',
      signerCertificateExpiry: 'named by the interface',
    },
  },
  {
    what: 'why somebody did something is reason, or a reason of one act where the record has several',
    pattern: /reason|because|cause|why|justif/i,
    ours: /^(reason|\w+Reason)$/,
    others: {
      because: 'why a currency ended, one of a closed list; `note` beside it is the free text',
      endedBecause: 'the same in the record',
      cause: 'why a place went to others or an offer was withdrawn, one of a closed list',
      causes: 'why a practical test was not passed, of a closed list',
      endCause: 'why an entry of the waiting list ended, one of a closed list',
      why: 'why an item of a test is not known, one of a closed list',
    },
  },
  {
    what: 'free text is notes',
    pattern: /^notes?$|Notes?$|comment|remark|memo/i,
    ours: /^notes$/,
    others: {
      endedNote: 'the same as `note` in the record of the currency',
      note: 'one sentence about the end of a currency',
      memo: 'named by the interface: what the payer reads on an invoice',
      remarks: 'the column of a pilot’s logbook',
      requiresNotes: 'named by the interface: a flag',
    },
  },
  {
    what: 'time logged in a simulator is simulatorDeciHours',
    pattern: /^sim(?!ulatedInstrument)\w*Hours$/,
    ours: /^simulatorDeciHours$/,
    others: {},
  },
]

describe('one word for one thing', () => {
  test.each(rules)('$what', ({ pattern, ours, others }) => {
    const found = like(pattern)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((name) => !ours.test(name) && !(name in others))).toEqual([])
    expect(Object.keys(others).filter((name) => !found.includes(name))).toEqual([])
  })

  test('who is asked and says no declines: no other word is a status', () => {
    const values = Object.entries(document.components.schemas).flatMap(([name, { enum: choices = [] }]) =>
      choices.map((value) => `${name}: ${value}`),
    )
    const found = values.filter((value) => /: (reject|den|declin)/.test(value))
    // Desk staff reject a paper, and an authority denies a medical; nobody was asked.
    // The answer of a mailed link is what the person does.
    const others = ['MemberDocumentStatus: rejected', 'CurrencyEndReason: denied', 'AnswerOfferBodyAnswer: decline']
    expect(found.filter((value) => !value.endsWith(': declined') && !others.includes(value))).toEqual([])
    expect(found.length).toBeGreaterThan(2)
  })

  test('a span of time says its unit at the end of its name', () => {
    const units = /(minutes|hours|days|months|seconds|weeks|ms)(PerWeek|Ahead|Left|Since\w+|Late|Enrolled)?$/i
    const spans = like(
      /^(\w+(Duration|Delay|Notice|Lead|Interval|Age|Timeout|Validity)|duration|delay|timeout|notice|age)$/,
    )
    expect(spans.filter((name) => !units.test(name))).toEqual([])
    expect(like(units).length).toBeGreaterThan(40)
  })

  test('expiresAt is an instant, validUntil and the last day of a state are days', () => {
    const formats = new Map<string, Set<string>>()
    const visit = (schema: JsonSchema): void => {
      for (const [name, part] of Object.entries(schema.properties ?? {})) {
        formats.set(name, (formats.get(name) ?? new Set()).add(part.format ?? 'none'))
      }
      partsOf(schema).forEach(visit)
    }
    Object.values(document.components.schemas).forEach(visit)
    expect([...(formats.get('expiresAt') ?? [])]).toEqual(['date-time'])
    expect([...(formats.get('validUntil') ?? [])]).toEqual(['date'])
  })

  test('a record’s id in its path is {id}, or the name that the interface gives it', () => {
    // The interface names these; what lies below such a record keeps the name.
    const named: Record<string, string> = {
      users: 'userId',
      organizations: 'orgId',
      switch: 'orgId',
      join: 'orgCode',
      courses: 'courseId',
      versions: 'versionId',
      enrollments: 'enrollmentId',
      records: 'recordId',
      credits: 'creditId',
      grants: 'grantId',
      templates: 'templateKey',
      stages: 'stageId',
      lessons: 'lessonId',
      requirements: 'requirementId',
      notifications: 'notificationId',
      orgUsers: 'orgUserId',
      reservation: 'reservationId',
      resource: 'resourceId',
      user: 'userId',
      // An instructor is a member.
      instructors: 'orgUserId',
      series: 'seriesId',
    }
    // What is no record has the name of what it is.
    const words = ['kind', 'key', 'token', 'provider', 'station', 'organizationId', 'name']
    const wrong = Object.keys(document.paths).flatMap((path) => {
      const parts = path.split('/').filter(Boolean)
      return parts.flatMap((part, index) => {
        const [, name] = /^\{(\w+)\}/.exec(part) ?? []
        const collection = parts[index - 1] ?? ''
        const isInner = parts.slice(0, index).some((one) => one.startsWith('{'))
        if (name === undefined || name === 'id' || words.includes(name) || named[collection] === name) return []
        return isInner && name.endsWith('Id') ? [] : [path]
      })
    })
    expect(wrong).toEqual([])
  })

  test('a credit is of training hours; money is credited by a credit note', () => {
    const paths = Object.keys(document.paths).filter((path) => /\/credit/i.test(path))
    expect(paths.length).toBeGreaterThan(4)
    expect(paths.filter((path) => !/^\/training\/credits|\/creditNotes/.test(path))).toEqual([])
    const schemas = Object.keys(document.components.schemas).filter((name) => /^Credit/.test(name))
    expect(schemas.filter((name) => !name.startsWith('CreditNote'))).toEqual([])
    const kinds = Object.entries(document.components.schemas).filter(([, { enum: choices }]) =>
      choices?.includes('credit'),
    )
    // A credit note is a row of kind `credit` in an account and a statement, and what an invoice owes back is `creditCents`.
    expect(kinds.map(([name]) => name)).toEqual(['LedgerEntryKind', 'StatementRowsValueKind'])
    expect(like(/credit(?!or|ed|Note)\w*Cents$/i)).toEqual(['creditCents'])
  })
})
