import { inBatches } from '../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import {
  notifyExpiringCurrencies,
  notifyExpiringDocuments,
  notifyLapsingCurrencies,
} from '../../shared/qualification/notify-expiring.ts'
import type * as jobs from '../../shared/qualification/qualification.jobs.ts'
import { sweep } from '../platform/sweep.ts'

export const qualificationSweeps = {
  'documents.remind-expiring-documents': sweep(notifyExpiringDocuments),
  'currencies.remind-expiring-currencies': expiringCurrencies,
}

/**
 * Enqueues the due notices of currencies that end soon: first those with a recorded end, then those whose end is
 * computed (recent flights, and currencies that follow a regulation).
 */
async function expiringCurrencies(...[, tools]: Parameters<JobProcessor<typeof jobs.remindExpiringCurrencies>>) {
  await inBatches(tools, notifyExpiringCurrencies)
  let last: number | null = 0
  while (last !== null) {
    const after: number = last
    last = await tools.transaction((tx) => notifyLapsingCurrencies(tx, after))
  }
}
