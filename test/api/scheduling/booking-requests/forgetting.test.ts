import { expect } from 'vitest'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import { purgeBatch } from '../../../../src/shared/platform/retention/purge-batch.access.ts'
import { NOW } from '../../../support/app.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { asked, buildListedSchool, confirmedRequest, offer } from '../../../support/offerings.ts'

const test = apiTest()

test('a request that a guest never confirms is deleted a week after it was made, and no other is', async ({ api }) => {
  const offering = await offer(api, await buildListedSchool(api))
  const start = '2026-12-20T10:00:00Z'
  const old = await asked(api, offering, { start, email: 'old@example.com' })
  const confirmed = await confirmedRequest(api, offering, { start, email: 'confirmed@example.com' })
  const fresh = await asked(api, offering, { start, email: 'fresh@example.com' })
  const { db } = api.core.database
  await db.updateTable('booking_request').set({ created_at: NOW }).where('id', 'in', [old, confirmed]).execute()
  const later = new Date(NOW.getTime() + 1)
  await db.updateTable('booking_request').set({ created_at: later }).where('id', '=', fresh).execute()
  const forget = async (now: Date) =>
    (
      await inTransaction(
        api.core.database,
        () => now,
        (tx) => purgeBatch(tx, 'booking_request'),
      )
    ).result
  const week = NOW.getTime() + 7 * 86_400_000
  expect(await forget(new Date(week))).toBe(0)
  expect(await forget(new Date(week + 1))).toBe(1)
  const left = await db.selectFrom('booking_request').select('id').orderBy('id').execute()
  expect(left.map(({ id }) => id)).toEqual([confirmed, fresh])
})
