import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { tellExpiringCurrencies } from '../../../shared/qualification/currencies/currencies.jobs.ts'
import { tellOfExpiring } from '../../../shared/qualification/currencies/tell-expiring.ts'
import { tellOfLapsing } from '../../../shared/qualification/currencies/tell-lapsing.ts'

/** Tells of dates that run out soon and of recent flights that lapse, a batch in a transaction, until nothing is left. */
export const tellOfExpiringCurrencies: JobProcessor<typeof tellExpiringCurrencies> = async (_payload, tools) => {
  let more = true
  while (more) more = await tools.transaction(tellOfExpiring)
  let last: number | null = 0
  while (last !== null) {
    const after: number = last
    last = await tools.transaction((tx) => tellOfLapsing(tx, after))
  }
}
