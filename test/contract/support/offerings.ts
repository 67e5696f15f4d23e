import type { TestApp } from '../../support/app.ts'
import { insertGuestRequest } from '../../support/booking-requests.ts'
import type { School } from '../../support/builders.ts'
import { expectOk } from '../../support/flights.ts'
import { asked, buildListedSchool, confirmationToken, offer } from '../../support/offerings.ts'

/** What the school offers and a guest whom it approved; and another school, which the public sees. */
export interface OfferingRecords {
  offering: number
  guestRequest: number
  listedOrganization: number
  publicOffering: number
  publicPlane: number
  /** Of the link that a guest of the listed school was mailed. */
  confirmToken: string
}

/** Builds them through the interface where it is short. */
export async function buildOfferings(api: TestApp, school: School): Promise<OfferingRecords> {
  const listed = await buildListedSchool(api)
  const shown = await offer(api, listed)
  const guestRequest = await insertGuestRequest(api, school, { start: '2027-02-05T10:00:00Z' })
  await expectOk(api, school.dispatcher, 'POST', `/booking-requests/${guestRequest}/approve`, {
    instructorOrgUserId: school.instructor.orgUserId,
  })
  return {
    offering: (await offer(api, school)).id,
    guestRequest,
    listedOrganization: listed.organizationId,
    publicOffering: shown.id,
    publicPlane: listed.plane.id,
    confirmToken: await confirmationToken(api, await asked(api, shown)),
  }
}
