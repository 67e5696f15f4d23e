import { sql } from 'kysely'
import { TEST_NOTICE_DAYS } from '../../communication/notifications/expiry-notices.rules.ts'
import { noticeDueOf, notifyAbout } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'
import { awaitsTest } from './planned-tests.queries.ts'

/**
 * Enqueues the due notices of planned practical tests, each once a test; who is ready by then, or passed before, is not notified. Returns the number of
 * enrollments. Implements interface §28.4.
 */
export function notifyPlannedTests(tx: Tx): Promise<number> {
  const stage = noticeDueOf(sql`r.planned_test_at`, tx.now, TEST_NOTICE_DAYS)
  return claimBatch(tx, {
    table: 'enrollment',
    due: sql`${awaitsTest('r', tx.now)} and coalesce(r.test_notified_days, 32767) > ${stage}`,
    order: sql`r.planned_test_at`,
    mark: { test_notified_days: stage },
    each: notifyAbout(tx, 'test_not_ready'),
  })
}
