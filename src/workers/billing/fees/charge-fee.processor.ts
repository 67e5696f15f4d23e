import { chargeWhenDue } from '../../../shared/billing/fees/charge-fee.ts'
import type { chargeFee } from '../../../shared/billing/fees/fees.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/** Charges the fee of a cancellation when its time for review is over. */
export const chargeFeeProcessor: JobProcessor<typeof chargeFee> = (payload, tools) =>
  tools.transaction((tx) => chargeWhenDue(tx, payload))
