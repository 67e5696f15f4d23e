import { p } from '@mikro-orm/core'
import { describe, expect, test } from 'vitest'
import { instant, record, tenantRecord } from '../../../src/shared/platform/db/columns.ts'
import { aggregate, daysKept, log, referencesOf, set, tableOf } from '../../../src/shared/platform/db/declare-table.ts'
import { member } from '../../../src/shared/platform/db/member-columns.ts'

const Thing = set('thing', {
  exported: { without: ['secretKey'] },
  rights: { update: ['notifiedAt'] },
  kept: { days: 3, since: 'notifiedAt', fewer: { days: 1, where: 'told' } },
  readByBookingRules: true,
  mayName: ['notes', 'facts'],
  columns: {
    ...tenantRecord,
    membershipId: member.paper('work', { once: ['groupId'] }),
    noticedBy: member.own('notices').nullable(),
    groupId: p.integer(),
    notifiedAt: instant().nullable(),
    secretKey: p.text(),
    notes: p.text(),
    facts: p.json<string[]>(),
  },
})

describe('a declared table', () => {
  test('has its facts in the names of the database', () => {
    expect(tableOf(Thing)).toMatchObject({
      name: 'thing',
      written: 'set',
      withheld: ['secret_key'],
      rights: { update: ['notified_at'] },
      kept: { days: 3, since: 'notified_at', fewer: { days: 1, where: 'told' } },
      readByBookingRules: true,
      mayName: [
        { column: 'notes', json: false },
        { column: 'facts', json: true },
      ],
    })
  })

  test('says of each column that names a member what merging and erasing do, empty or not', () => {
    const references = referencesOf([tableOf(Thing)!])
    expect(references).toEqual([
      {
        table: 'thing',
        column: 'membership_id',
        kind: 'work',
        part: 'papers',
        merge: { once: ['group_id'] },
        erase: 'delete',
      },
      { table: 'thing', column: 'noticed_by', kind: 'notices', part: 'own', merge: 'drop', erase: 'delete' },
    ])
    expect(referencesOf([tableOf(Thing)!], ['own'])).toEqual([references[1]])
  })

  test('has all rights and is kept, unread, and in no export, unless it says otherwise', () => {
    const Above = aggregate('above', { columns: { ...record } })
    expect(tableOf(Above)).toMatchObject({ written: 'aggregate', rights: undefined, kept: undefined, withheld: null })
    expect(tableOf(Above)).toMatchObject({ references: [], readByBookingRules: false, mayName: [] })
    expect(() => daysKept(Above)).toThrow(RangeError)
    expect(daysKept(Thing)).toBe(3)
  })

  test('of an organization does not compile without saying whether an export has it', () => {
    // @ts-expect-error: `exported` is missing.
    const Unsaid = log('unsaid', { columns: { ...tenantRecord } })
    expect(tableOf(Unsaid)?.withheld).toBeNull()
  })

  test('does not compile with a fact about a column that it does not have', () => {
    // @ts-expect-error: there is no such column.
    const Wrong = log('wrong', { exported: { without: ['secret'] }, columns: { ...tenantRecord } })
    expect(tableOf(Wrong)?.withheld).toEqual(['secret'])
  })

  test('cannot be merged by a column that it does not have', () => {
    const columns = { ...tenantRecord, membershipId: member.paper('work', { once: ['group_id'] }) }
    expect(() => set('unmerged', { exported: true, columns })).toThrow('no columns: group_id')
  })
})

test('anything else is no table', () => {
  expect([tableOf(undefined), tableOf('thing'), tableOf({ name: 'thing' })]).toEqual([undefined, undefined, undefined])
})
