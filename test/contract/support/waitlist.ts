import type { TestApp } from '../../support/app.ts'
import type { School } from '../../support/builders.ts'
import { enter, insertOffer } from '../../support/waitlist.ts'

/** An entry of the student on the waiting list, and an open offer to the student, of another entry. */
export interface WaitlistRecords {
  waitlistEntry: number
  offer: number
  /** Of the mailed link of the offer. */
  offerToken: string
}

/** Builds the entries through the interface, and the offer as the job makes it. */
export async function buildWaitlist(api: TestApp, school: School): Promise<WaitlistRecords> {
  const { id: offer, token: offerToken } = await insertOffer(api, school)
  const windows = [{ start: '2027-01-05T08:00:00Z', end: '2027-01-05T18:00:00Z' }]
  return { waitlistEntry: await enter(api, school.student, { windows }), offer, offerToken }
}
