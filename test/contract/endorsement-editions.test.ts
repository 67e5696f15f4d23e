import { readdirSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationsFolder } from '../../src/shared/platform/db/run-migrations.ts'
import { emptyDatabase } from '../support/database.ts'
import { runSome } from '../support/migrations-folder.ts'

const files = readdirSync(migrationsFolder).filter((file) => /^Migration.*\.ts$/.test(file))
/** From here on AC 61-65K is current beside 61-65H, and an endorsement has the instant of its signature. */
const EDITIONS_STAND_SIDE_BY_SIDE = 'Migration20261122134610_endorsement_signers.ts'

let url: string
let client: pg.Client
beforeAll(async () => {
  url = await emptyDatabase()
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterAll(() => client.end())

const rows = async (query: string) => (await client.query<Record<string, unknown>>(query)).rows

/** A.71 was the tailwheel endorsement of AC 61-65H, and is the instrument proficiency check of AC 61-65K. */
const tailwheel = 'I certify that Ben Cole has received the training of 14 CFR 61.31(i) in a Citabria 7ECA.'
const free = 'May land at Half Moon Bay.'

test('endorsements of before keep text, code, edition, signer and the day of their signature', async () => {
  await runSome(
    url,
    files.filter((file) => file < EDITIONS_STAND_SIDE_BY_SIDE),
  )
  await rows(`
    with o as (insert into organization (name, organization_type, time_zone_name, details, code, settings)
        values ('Bay', 'flight_school', 'UTC', '{}', 'AAAAAA', '{}') returning id),
      a as (insert into account (name, email, password_hash, tokens_valid_from)
        values ('Ana', 'ana@example.com', 'x', now()), ('Ben', 'ben@example.com', 'x', now()) returning id, name),
      m as (insert into membership (organization_id, account_id, instructor, student)
        select o.id, a.id, a.name = 'Ana', a.name = 'Ben' from o, a returning id, organization_id, instructor)
    insert into endorsement (organization_id, membership_id, signed_by, created_at, template_code, template_edition, title,
        rendered_text, expires_at, signer_certificate_number)
      select b.organization_id, b.id, i.id, e.* from m b join m i on i.instructor and not b.instructor,
        (values ('2025-09-01T15:00:00Z'::timestamptz, 'A.71', 'AC 61-65H', 'Tailwheel', '${tailwheel}',
            '2025-12-01T15:00:00Z'::timestamptz, '3141592CFI'),
          ('2025-09-02T15:00:00Z', null, null, 'Half Moon Bay', '${free}', null, null)) e`)
  const kept = `select template_code as code, template_edition as edition, title, rendered_text as text, expires_at as ends,
      signer_certificate_number as certificate, signed_by = (select id from membership where instructor) as "byAna"
    from endorsement order by id`
  const before = await rows(kept)
  await runSome(url, files)
  expect(await rows(kept)).toEqual(before)
  const ends = new Date('2025-12-01T15:00:00Z')
  expect(before).toEqual([
    {
      ...{ code: 'A.71', edition: 'AC 61-65H', title: 'Tailwheel', text: tailwheel, ends },
      ...{ certificate: '3141592CFI', byAna: true },
    },
    { code: null, edition: null, title: 'Half Moon Bay', text: free, ends: null, certificate: null, byAna: true },
  ])
  expect(await rows('select signed_at, recorded_by, signer_name, parameters from endorsement order by id')).toEqual([
    { signed_at: new Date('2025-09-01T15:00:00Z'), recorded_by: null, signer_name: null, parameters: {} },
    { signed_at: new Date('2025-09-02T15:00:00Z'), recorded_by: null, signer_name: null, parameters: {} },
  ])
})

test('they still cannot be changed', async () => {
  await expect(rows(`update endorsement set template_edition = 'AC 61-65K'`)).rejects.toThrow(/cannot change/)
  await expect(rows(`update endorsement set rendered_text = ''`)).rejects.toThrow(/cannot change/)
  await expect(rows('delete from endorsement')).rejects.toThrow(/cannot change/)
})
