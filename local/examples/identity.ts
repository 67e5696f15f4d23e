import { DEMO_PASSWORD } from '../demo/school/people.ts'
import type { Data, ExampleRun } from './example-run.ts'

const PASSWORD = 'correct-horse-battery-28'

/** Sends the requests about accounts, joining an organization, its members, groups and locations. */
export async function identityExamples({ send, school, mailedToken }: ExampleRun): Promise<void> {
  const { actors } = school
  const { token } = (await send(null, 'POST /users', {
    body: { name: 'Ana Ruiz', email: 'ana@example.com', password: PASSWORD },
  })) as Data & { token: string }
  const ana = { token }
  await send(ana, 'POST /auth/verify-email/resend')
  await send(null, 'POST /auth/verify-email', { body: { token: await mailedToken('mail_token') } })
  await send(null, 'POST /auth', { body: { email: 'olivia@bayflight.example', password: DEMO_PASSWORD } })
  await send(null, 'POST /auth/forgot-password', { body: { email: 'ana@example.com' } })
  const reset = { token: await mailedToken('mail_token'), password: `${PASSWORD}-new` }
  await send(null, 'POST /auth/reset-password', { body: reset })
  const again = (await send(null, 'POST /auth', {
    body: { email: 'ana@example.com', password: reset.password },
  })) as Data & { token: string }
  await send('olivia', 'PATCH /users', { body: { name: 'Olivia Grant', phone: '+1 510 555 0101' } })
  const club = (await send(again.token ? again : ana, 'POST /organizations', {
    body: {
      name: 'Skyway Aero Club',
      organizationType: 'flying_club',
      about: 'Twelve members, two airplanes, one hangar.',
      details: {
        email: 'ana@example.com',
        phone: '+1 510 555 0177',
        address: { city: 'Livermore', state: 'CA', country: 'US' },
      },
      location: {
        name: 'Livermore Municipal',
        airportIdentifier: 'KLVK',
        timeZoneName: 'America/Los_Angeles',
        address: { city: 'Livermore', state: 'CA', country: 'US' },
      },
    },
  })) as Data & Token
  await send('olivia', 'PATCH /organizations', {
    body: { about: 'Flight training at Hayward Executive since 1998.', settings: { cancellationNoticeHours: 12 } },
  })
  await send('olivia', 'POST /organizations/switch/{orgId}', { params: { orgId: actors.olivia.organizationId } })
  await send('olivia', 'POST /organizations/invite', {
    body: { email: 'priya@example.com', name: 'Priya Raman', student: true },
  })
  const invitation = await mailedToken('invitation')
  await send(null, 'POST /organizations/invitations/lookup', { body: { token: invitation } })
  const priya = (await send(null, 'POST /users', {
    body: { name: 'Priya Raman', email: 'priya@example.com', password: PASSWORD },
  })) as Data & { token: string }
  // The invitation of a demo organization proves no address.
  await send(null, 'POST /auth/verify-email', { body: { token: await mailedToken('mail_token') } })
  await send(priya, 'POST /organizations/invitations/accept', { body: { token: invitation } })
  const invited = (await send('olivia', 'GET /organizations/invitations')) as unknown as Data[]
  const open = { params: { id: invited[0]?.id ?? 0 } }
  await send('olivia', 'GET /organizations/invitations/{id}', open)
  await send('olivia', 'DELETE /organizations/invitations/{id}', open)
  const [nora] = (await send('olivia', 'GET /organizations/joinRequests')) as unknown as Data[]
  await send('olivia', 'POST /organizations/joinRequests/{id}/approve', {
    params: { id: nora?.id ?? 0 },
    body: { student: true },
  })
  await joinExamples({ send, school, mailedToken }, club)
  await memberExamples({ send, school, mailedToken })
  await placeExamples({ send, school, mailedToken })
  await leavingExamples({ send, school, mailedToken }, { ana: club, priya })
}

type Token = { token: string }

/** Requests to join the school by its code, as Ana, and declines the request. */
async function joinExamples({ send }: ExampleRun, ana: Token): Promise<void> {
  const [school] = (await send('olivia', 'GET /organizations')) as unknown as { code: string }[]
  const asked = await send(ana, 'POST /organizations/join/{orgCode}', { params: { orgCode: school?.code ?? '' } })
  await send('olivia', 'GET /organizations/joinRequests/{id}', { params: { id: asked.id } })
  await send('olivia', 'POST /organizations/joinRequests/{id}/decline', { params: { id: asked.id } })
}

/** Removes a member, and deletes a club and an account. */
async function leavingExamples({ send }: ExampleRun, { ana, priya }: { ana: Token; priya: Token }): Promise<void> {
  const [nora] = (await send('olivia', 'GET /orgUsers', { query: { q: 'nora' } })) as unknown as Data[]
  await send('olivia', 'DELETE /orgUsers/{id}', { params: { id: nora?.id ?? 0 } })
  await send(ana, 'DELETE /organizations')
  await send(priya, 'DELETE /users')
}

async function memberExamples({ send, school }: ExampleRun): Promise<void> {
  const { actors } = school
  await send('olivia', 'PATCH /users/{userId}/roles', {
    params: { userId: actors.dana.accountId },
    body: { dispatcher: true, renter: true },
  })
  const grant = await send('olivia', 'POST /grants', {
    body: { orgUserId: actors.ivan.orgUserId, grant: 'registrar' },
  })
  await send('olivia', 'DELETE /grants/{id}', { params: { id: grant.id } })
  await send('olivia', 'PATCH /orgUsers/{id}', {
    params: { id: actors.sofia.orgUserId },
    body: { billToOrgUserId: actors.rita.orgUserId },
  })
  await send('rita', 'POST /orgUsers/{id}/billTo/accept', {
    params: { id: actors.sofia.orgUserId },
    body: { ledger: true, maxCentsPerMonth: 150_000 },
  })
  await send('rita', 'PATCH /orgUsers/{id}', {
    params: { id: actors.sofia.orgUserId },
    body: { billToOrgUserId: null },
  })
  const walter = await send('olivia', 'POST /orgUsers', {
    body: {
      name: 'Walter Finch',
      email: 'walter.finch@example.com',
      phone: '+1 510 555 0177',
      externalId: 'M-1042',
      renter: true,
      profile: { birthDate: '1961-02-11' },
    },
  })
  await send('olivia', 'POST /orgUsers/{id}/merge', {
    params: { id: walter.id },
    body: { intoOrgUserId: actors.rita.orgUserId },
  })
  const [guest] = (await send('olivia', 'GET /guests')) as unknown as Data[]
  await send('olivia', 'GET /guests/{id}', { params: { id: guest?.id ?? 0 } })
  await send('rita', 'POST /orgUsers/{id}/merge/accept', { params: { id: walter.id } })
  await send('olivia', 'POST /orgUsers/{id}/erase', { params: { id: walter.id }, body: { reason: 'Entered twice' } })
  await send('olivia', 'PATCH /orgUsers/{id}', {
    params: { id: actors.isabel.orgUserId },
    body: { instructionRates: { flight: 8_400, ground: 6_500, sim: 7_000 }, payRates: { flight: 5_200 } },
  })
  await send('olivia', 'PATCH /orgUsers/{id}/availability', {
    params: { id: actors.dana.orgUserId },
    body: { availability: [{ dayOfWeek: 6, startMinute: 480, endMinute: 1_200 }] },
  })
  await send('sam', 'PATCH /orgUsers/{id}/profile', {
    params: { id: actors.sam.orgUserId },
    body: {
      weightPounds: 172,
      emergencyContact: { name: 'Maria Alvarez', phone: '+1 510 555 0142', relation: 'mother' },
    },
  })
  await send('ivan', 'GET /orgUsers/{id}/profile', { params: { id: actors.sam.orgUserId } })
  await send('ivan', 'PUT /orgUsers/{id}/minimums', {
    params: { id: actors.sam.orgUserId },
    body: { ceilingFeet: 3_000, visibilityMiles: 5, windKnots: 12, gustKnots: 16, crosswindKnots: 7 },
  })
  await send('sam', 'GET /orgUsers/{id}/minimums', { params: { id: actors.sam.orgUserId } })
  await send('ivan', 'PATCH /users/availability', {
    body: { availability: [2, 3, 4, 5, 6].map((dayOfWeek) => ({ dayOfWeek, startMinute: 420, endMinute: 1140 })) },
  })
  const timeOff = await send('olivia', 'POST /availability/timeOff', {
    body: {
      orgUserId: actors.tom.orgUserId,
      start: '2026-07-06T08:00:00-07:00',
      end: '2026-07-10T17:00:00-07:00',
      reason: 'Training course at the manufacturer',
    },
  })
  await send('olivia', 'DELETE /availability/timeOff/{id}', { params: { id: timeOff.id } })
}

async function placeExamples({ send, school }: ExampleRun): Promise<void> {
  const { sam, stella, sofia } = school.actors
  const group = await send('olivia', 'POST /groups', {
    body: { name: 'Solo students', description: 'Those before their checkride', orgUserIds: [sam.orgUserId] },
  })
  await send('olivia', 'PATCH /groups/{id}', { params: { id: group.id }, body: { name: 'Solo students, summer' } })
  await send('olivia', 'PUT /groups/{id}/members', {
    params: { id: group.id },
    body: { orgUserIds: [sam.orgUserId, stella.orgUserId, sofia.orgUserId] },
  })
  await send('olivia', 'GET /groups/{id}', { params: { id: group.id } })
  await send('olivia', 'DELETE /groups/{id}', { params: { id: group.id } })
  const location = await send('olivia', 'POST /locations', {
    body: {
      name: 'Livermore Municipal',
      airportIdentifier: 'KLVK',
      timeZoneName: 'America/Los_Angeles',
      address: { line1: '680 Terminal Circle', city: 'Livermore', state: 'CA', postalCode: '94551', country: 'US' },
    },
  })
  await send('olivia', 'PATCH /locations/{id}', { params: { id: location.id }, body: { name: 'Livermore' } })
  await send('olivia', 'GET /locations/{id}', { params: { id: location.id } })
  await send('olivia', 'DELETE /locations/{id}', { params: { id: location.id } })
}
