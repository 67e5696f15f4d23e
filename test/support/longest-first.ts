import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The test files of ten seconds and more, longest first. Other files are sorted by vitest's own record of durations,
 * when the machine has one.
 */
const longest = [
  'endpoints/authorization',
  'endpoints/bad-input',
  'faults/gateway-trouble',
  'endpoints/examples',
  'endpoints/at-once',
  'endpoints/sorting',
  'faults/gateway-webhooks',
  'endpoints/demo-school',
  'endpoints/wording',
  'workers/scheduling/many-plans',
  'workers/platform/clock-off',
  'workers/billing/payers-notified',
  'workers/communication/create-meeting',
  'adapters/highs-solver',
  'workers/billing/signed-for-less',
  'workers/communication/notification-audiences',
  'workers/platform/idle',
  'api/billing/payments/processor-money',
  'api/scheduling/recoveries/recovery-faults',
  'workers/billing/autopay',
  'flows/quarter-of-a-school',
  'api/billing/credit-notes/corrections',
  'workers/communication/mail-budgets',
  'api/billing/invoices/change',
  'api/billing/invoices/void',
  'api/billing/invoices/prepaid',
].map((name) => `/test/${name}.test.ts`)

/** Starts the longest files first, so that the last file of a run is a short one. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((name) => moduleId.endsWith(name))
  return place < 0 ? longest.length : place
}
