import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The test files of ten seconds and more, longest first. Other files are sorted by vitest's own record of durations,
 * when the machine has one.
 */
const longest = [
  'endpoints/authorization',
  'endpoints/bad-input',
  'workers/communication/create-meeting',
  'faults/gateway-trouble',
  'api/billing/invoices/change',
  'endpoints/examples',
  'endpoints/at-once',
  'api/billing/invoices/void',
  'endpoints/sorting',
  'api/communication/announcements/announcements',
  'api/billing/invoices/prepaid',
  'faults/gateway-webhooks',
  'endpoints/demo-school',
  'endpoints/wording',
  'api/qualification/documents/documents',
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
