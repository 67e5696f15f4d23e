import type { tellExpiringCurrencies } from '../../shared/currencies/currencies.jobs.ts'
import { tellOfExpiring } from '../../shared/currencies/tell-expiring.ts'
import type { JobProcessor } from '../../shared/jobs/job-tools.ts'

/** Tells of what expires soon, a batch in a transaction, until nothing is left. */
export const tellOfExpiringCurrencies: JobProcessor<typeof tellExpiringCurrencies> = async (_payload, tools) => {
  let more = true
  while (more) more = await tools.transaction(tellOfExpiring)
}
