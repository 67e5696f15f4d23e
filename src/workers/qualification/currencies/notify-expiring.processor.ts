import { inBatches } from '../../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { expiringCurrenciesJob } from '../../../shared/qualification/currencies/currencies.jobs.ts'
import { notifyExpiring, notifyLapsing } from '../../../shared/qualification/currencies/notify-expiring.ts'

/** Enqueues notifications of dates that expire soon and of recent flights that lapse, one batch per transaction. */
export const notifyExpiringCurrencies: JobProcessor<typeof expiringCurrenciesJob> = async (_payload, tools) => {
  await inBatches(tools, notifyExpiring)
  let last: number | null = 0
  while (last !== null) {
    const after: number = last
    last = await tools.transaction((tx) => notifyLapsing(tx, after))
  }
}
