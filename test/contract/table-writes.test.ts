import { describe, expect, test } from 'vitest'
import { tables } from '../../src/shared/composition/tables.ts'
import { rightsOn } from '../../src/shared/platform/db/service-role.ts'
import { readTableUses, useOf } from './support/table-use.ts'

const uses = readTableUses()

/** Files that read: what answers or decides, what loads and locks a record for an action, conditions of declarations, and the platform. */
const READERS = /\.(queries|access|tables)\.ts$|^src\/shared\/platform\/(db|jobs)\//

/** The ORM writes aggregates; Kysely writes sets and logs. */
const declarations = uses.flatMap(({ declared }) => declared)
const tableOf = new Map(declarations.map(({ code, table }) => [code, table]))
const wordOf = new Map(declarations.map(({ table, word }) => [table, word]))
const isAggregate = (table: string) => wordOf.get(table) === 'aggregate'

/** Runs migrations as the owner of the tables. */
const OWNERS_FILE = 'src/shared/platform/db/run-migrations.ts'

/** Statements that write aggregates beside the ORM, and why; by the file that makes them. */
const exceptions: Record<string, string[]> = {
  // A booking and its seats are inserted by one statement, since series insert hundreds; an entity changes a booking.
  'src/shared/scheduling/reservations/insert-reservations.ts': ['reservation'],
  // The next invoice number: one statement, whose lock waits for no foreign key, where an entity's lock could deadlock.
  'src/shared/billing/invoices/invoice.access.ts': ['organization'],
  // The next number of a receipt, in the same way.
  'src/shared/billing/ledger/write-receipt.ts': ['organization'],
  // Each deletes a person's rows from the sets that its file lists.
  'src/shared/communication/meetings/connect-account.ts': ['?'],
  'src/shared/identity/accounts/account.access.ts': ['?'],
  'src/shared/identity/members/end-membership.ts': ['?'],
  // Moves the rows of one member to another; the declarations of tables say which.
  'src/shared/workflows/merge-references.access.ts': ['?', 'member_profile'],
  // Deletes the rows of a person, by the same declarations, and renames the person in texts.
  'src/shared/workflows/erase-references.access.ts': ['?', 'member_profile'],
  // The state of an upload: rows of two contexts, of which the platform writes two columns that no entity changes.
  'src/shared/platform/storage/upload-form.access.ts': ['?'],
  // Deletes expired rows of any table by the thousand; the declarations say which.
  'src/shared/platform/retention/purge-batch.access.ts': ['?'],
  // Marks the due rows that it claims; the table is the caller's.
  'src/shared/platform/jobs/claim-batch.ts': ['?'],
}

describe('what the rules read in a source', () => {
  test.each([
    ['tx.em.findOne(Invoice, { id })', { reads: ['em.findOne(Invoice)'], loaded: ['Invoice'] }],
    ['await tx.em.refresh(invoice)', { reads: ['em.refresh(invoice)'], loaded: ['invoice'] }],
    ["db.selectFrom('seat as s').select('id')", { reads: ['selectFrom(seat as s)'] }],
    ['sql`select id\n  from seat`', { reads: ['select … from'] }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
    ['sql`where exists (select from ${sql.table("seat")})`', { reads: ['select … from'] }],
    ['tx.em.create(Invoice, {})', { persisted: ['Invoice'] }],
    ["db.updateTable('seat').set({})", { written: ['seat'] }],
    ['db.deleteFrom(table)', { written: ['?'] }],
    ['sql`update invoice as i set a = 1`', { written: ['invoice'] }],
    ['sql`insert into seat (a) values (1)`', { written: ['seat'] }],
    ['sql`with x as (delete from seat where a = 1) insert into seat as s select 1`', { written: ['seat', 'seat'] }],
    ['sql`insert into seat (a) select id from reservation`', { written: ['seat'] }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
    ['sql`delete from ${sql.table(table)} where a`', { written: ['?'] }],
    ['sql`on conflict (a) do update set b = 1`', {}],
    ['sql`select 1 for update of r skip locked`', {}],
    ["claimBatch(tx, { table: 'document' })", { claimed: ['document'] }],
    ["const a = 'update the list'", {}],
    ['// select a from b', {}],
  ])('%s', (source, expected) => {
    const none = { file: 'a.ts', reads: [], written: [], claimed: [], persisted: [], loaded: [], declared: [] }
    const { acts: _, ...use } = useOf('a.ts', source)
    expect(use).toEqual({ ...none, ...expected })
  })

  test.each([
    ["db.updateTable('seat as s').set({})", ['update seat']],
    ["db.deleteFrom('seat')", ['delete seat']],
    ["db.insertInto('seat').values({}).onConflict((one) => one.doNothing())", ['insert seat']],
    ["db.insertInto('seat').values({}).onConflict((one) => one.doUpdateSet({}))", ['update seat', 'insert seat']],
    ['sql`delete\n from seat where a = 1`', ['delete seat']],
    ['sql`insert into seat (a) values (1) on conflict (a) do update set b = 1`', ['insert seat', 'update seat']],
    ['sql`insert into seat (a) values (1) on conflict (a) do nothing`', ['insert seat']],
  ])('%s does %j', (source, acts) => expect(useOf('a.ts', source).acts).toEqual(acts))
})

test('no statement needs a right on a table that the service does not have', () => {
  const given = rightsOn(tables)
  const asService = uses.filter(({ file }) => file !== OWNERS_FILE)
  const refused = asService.flatMap(({ file, acts }) =>
    acts
      .filter((act) => {
        const [verb = '', table = ''] = act.split(' ')
        return given[table] !== undefined && !given[table].includes(verb)
      })
      .map((act) => `${file}: ${act}`),
  )
  expect(refused).toEqual([])
})

test('reads stand in queries, access and table files, and in the platform below them, and nowhere else', () => {
  const elsewhere = uses.filter(({ file, reads }) => reads.length > 0 && !READERS.test(file))
  expect(elsewhere.map(({ file, reads }) => `${file}: ${reads.join(', ')}`)).toEqual([])
})

test('every table is declared once, as an aggregate or as a set or log', () => {
  expect(declarations.map(({ table }) => table).sort()).toEqual(tables.map(({ name }) => name).sort())
})

test('an aggregate is written by the ORM only, but for the exceptions', () => {
  const beside = uses.flatMap(({ file, written }) =>
    written
      .filter((table) => (table === '?' || isAggregate(table)) && !exceptions[file]?.includes(table))
      .map((table) => `${file}: ${table}`),
  )
  expect([...new Set(beside)]).toEqual([])
})

test('a set or log is written by Kysely only: no entity of it is made, or loaded to be changed', () => {
  const asEntity = uses.flatMap(({ file, persisted, loaded }) =>
    [...persisted, ...(file.endsWith('.queries.ts') ? [] : loaded)]
      .filter((name) => tableOf.has(name) && !isAggregate(String(tableOf.get(name))))
      .map((name) => `${file}: ${name}`),
  )
  expect([...new Set(asEntity)]).toEqual([])
})

test('due rows are claimed of aggregates, and each exception still writes what it is excepted for', () => {
  const claimed = uses.flatMap((use) => use.claimed)
  expect(claimed.length).toBeGreaterThan(4)
  expect(claimed.filter((table) => !isAggregate(table))).toEqual([])
  for (const [file, tables] of Object.entries(exceptions)) {
    expect(uses.find((use) => use.file === file)?.written, file).toEqual(expect.arrayContaining(tables))
  }
})
