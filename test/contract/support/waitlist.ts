import type { TestApp } from '../../support/app.ts'
import type { School } from '../../support/builders.ts'
import { enter, insertOffer } from '../../support/waitlist.ts'

/** An entry of the student on the waiting list, and open offers to the student, each of another entry. */
export interface WaitlistRecords {
  waitlistEntry: number
  offer: number
  /** Of the mailed link of the offer. */
  offerToken: string
  /** An offer to decline. */
  declinable: number
}

/** Builds the entries through the interface, and the offers as the job makes them, on days when nobody is away. */
export async function buildWaitlist(api: TestApp, school: School): Promise<WaitlistRecords> {
  const { id: offer, token: offerToken } = await insertOffer(api, school, { day: '2027-01-06' })
  const { id: declinable } = await insertOffer(api, school, { day: '2027-01-08' })
  const windows = [{ start: '2027-01-05T08:00:00Z', end: '2027-01-05T18:00:00Z' }]
  return { waitlistEntry: await enter(api, school.student, { windows }), offer, offerToken, declinable }
}
