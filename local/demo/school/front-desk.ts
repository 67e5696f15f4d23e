import { hashPassword } from '../../../src/shared/identity/accounts/hash-password.ts'
import { createGroup } from '../../../src/shared/identity/groups/write-group.ts'
import { inviteMember } from '../../../src/shared/identity/joining/invite-member.ts'
import { addTimeOff } from '../../../src/shared/identity/members/add-time-off.ts'
import { replaceAvailability } from '../../../src/shared/identity/members/replace-availability.ts'
import { updateOrganization } from '../../../src/shared/identity/organizations/update-organization.ts'
import { createManagedMember } from '../../../src/shared/identity/profiles/create-managed-member.ts'
import { createView } from '../../../src/shared/insight/reports/write-view.ts'
import type { MailTokens } from '../../../src/shared/platform/adapters/tokens/mail-tokens.ts'
import { admins, roleFlags } from '../../../src/shared/platform/authz/roles.ts'
import { addDays, localDate, wallToInstant } from '../../../src/shared/platform/kernel/zones.ts'
import { approveMember, giveApproval } from '../../../src/shared/qualification/approvals/approve-member.ts'
import { recordCurrency } from '../../../src/shared/qualification/currencies/record-currency.ts'
import { createCurrency } from '../../../src/shared/qualification/currencies/write-currency.ts'
import { addClosure } from '../../../src/shared/scheduling/closures/write-closure.ts'
import { joinOrganization } from '../../../src/shared/workflows/join-organization.ts'
import { daysFrom } from './days.ts'
import { type DemoSchool, openAccount, ZONE } from './found-school.ts'
import { DEMO_PASSWORD, type PersonKey } from './people.ts'
import type { SchoolTransaction } from './school-transaction.ts'

/**
 * Adds the records of the front desk: groups, absences, closures, approvals on aircraft, currencies, a managed member,
 * an invitation, a request to join, and a report view.
 */
export async function runDesk(
  school: SchoolTransaction,
  founded: DemoSchool,
  mailTokens: MailTokens,
  now: Date,
): Promise<void> {
  await addGroups(school, founded, now)
  await addAbsences(school, founded, now)
  await close(school, founded, now)
  await approvePilots(school, founded, now)
  await addCurrencies(school, founded, now)
  await school.at(daysFrom(now, -40), (tx) =>
    createManagedMember(tx, founded.actors.olivia, {
      name: 'Gus Albrecht',
      email: 'gus.albrecht@example.com',
      phone: '+1 510 555 0164',
      externalId: 'BF-0093',
      roles: { renter: true },
    }),
  )
  await receiveNewcomers(school, founded, mailTokens, now)
  const { olivia } = founded.actors
  await school.at(daysFrom(now, -30), (tx) =>
    createView(tx, olivia, { name: 'Revenue by month', report: 'revenue', parameters: {}, shared: true }),
  )
}

async function addGroups(school: SchoolTransaction, { actors }: DemoSchool, now: Date): Promise<void> {
  const groups: { name: string; description: string; of: PersonKey[] }[] = [
    {
      name: 'Ground school, Tuesdays',
      description: 'Private pilot, evenings at 18:00',
      of: ['sam', 'stella', 'sofia'],
    },
    { name: 'Instrument students', description: 'Simulator nights', of: ['samir'] },
  ]
  for (const { name, description, of } of groups) {
    const orgUserIds = of.map((key) => actors[key].orgUserId)
    await school.at(daysFrom(now, -21), (tx) => createGroup(tx, actors.dana, { name, description, orgUserIds }))
  }
}

async function addAbsences(school: SchoolTransaction, { actors }: DemoSchool, now: Date): Promise<void> {
  for (const key of ['ivan', 'isabel'] as const) {
    const hours = { startMinute: 6 * 60, endMinute: 20 * 60 }
    const week = [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek) => ({ dayOfWeek, ...hours }))
    await school.at(daysFrom(now, -90), (tx) => replaceAvailability(tx, actors[key], week))
  }
  const office = [1, 2, 3, 4, 5].map((dayOfWeek) => ({ dayOfWeek, startMinute: 8 * 60, endMinute: 17 * 60 }))
  await school.at(daysFrom(now, -90), (tx) => replaceAvailability(tx, actors.olivia, office))
  for (const [who, from, days, reason] of [
    ['isabel', 9, 4, 'Instructor refresher course'],
    ['tom', 16, 7, 'Vacation'],
  ] as const) {
    const timeOff = { start: daysFrom(now, from), end: daysFrom(now, from + days), reason }
    await school.at(daysFrom(now, -12), (tx) => addTimeOff(tx, actors[who], timeOff))
  }
}

/** Adds a future day on which the whole school is closed, and a weekly hour in which an aircraft is washed. */
async function close(school: SchoolTransaction, { actors, resourceIds }: DemoSchool, now: Date): Promise<void> {
  const at = (day: number, hour: number) => wallToInstant(addDays(localDate(now, ZONE), day), hour * 60, ZONE)
  const once = { locationId: null, resourceId: null, recurrence: null, zone: null }
  const outing = { ...once, start: at(19, 0), end: at(20, 0), reason: 'Safety day: everybody is at the hangar' }
  await school.at(daysFrom(now, -20), (tx) => addClosure(tx, actors.dana, outing))
  const wash = { start: at(8, 6), end: at(8, 7), reason: 'Washing', resourceId: resourceIds.N92FL }
  const recurrence = { frequency: 'weekly', count: 4 } as const
  await school.at(daysFrom(now, -2), (tx) => addClosure(tx, actors.dana, { ...once, ...wash, recurrence }))
}

async function approvePilots(school: SchoolTransaction, { actors, resourceIds }: DemoSchool, now: Date): Promise<void> {
  for (const [who, on] of [
    ['rita', 'N206FL'],
    ['rita', 'N734FL'],
    ['samir', 'N40FL'],
    ['samir', 'N734FL'],
    ['stella', 'N518FL'],
  ] as const) {
    const approval = { resourceId: resourceIds[on], userId: actors[who].accountId, approved: true }
    await school.at(daysFrom(now, -66), (tx) => approveMember(tx, actors.isabel, approval))
  }
  const byModel = { orgUserId: actors.sofia.orgUserId, resourceId: null, make: 'Cessna', model: '172S' }
  await school.at(daysFrom(now, -20), (tx) =>
    giveApproval(tx, actors.adam, { ...byModel, expiresAt: daysFrom(now, 345) }),
  )
}

/** Adds two currencies to those that every organization starts with, and records of the second one. */
async function addCurrencies(school: SchoolTransaction, { actors }: DemoSchool, now: Date): Promise<void> {
  const { adam } = actors
  const at = daysFrom(now, -80)
  const lifting = { liftedWhenSupervised: true, overridableBy: [...admins], appliesTo: 'pic' as const }
  const shared = { reservationTypes: [], resourceIds: [], ...lifting }
  await school.at(at, (tx) =>
    createCurrency(tx, adam, {
      name: 'Ninety days',
      kind: 'recent_flights',
      roles: ['renter'],
      count: 3,
      days: 90,
      ...shared,
      warnDays: 14,
      validCalendarMonths: null,
      privilege: null,
      deciHours: null,
      scope: null,
    }),
  )
  const { id: currencyId } = await school.at(at, (tx) =>
    createCurrency(tx, adam, {
      name: 'Safety meeting',
      kind: 'expiring',
      roles: ['owner', 'admin', 'instructor', 'technician'],
      ...shared,
      warnDays: 30,
      validCalendarMonths: 12,
      count: null,
      days: null,
      privilege: null,
      deciHours: null,
      scope: null,
    }),
  )
  for (const [who, daysAgo] of [
    ['olivia', 70],
    ['ivan', 352],
    ['isabel', 70],
    ['tom', 400],
  ] as const) {
    const record = { orgUserId: actors[who].orgUserId, currencyId, completedAt: daysFrom(now, -daysAgo) }
    await school.at(daysFrom(now, -60), (tx) => recordCurrency(tx, adam, record))
  }
}

/**
 * Invites one person and adds another person's request to join. The school is private, so the join code alone does not
 * admit a new member.
 */
async function receiveNewcomers(
  school: SchoolTransaction,
  { actors }: DemoSchool,
  mailTokens: MailTokens,
  now: Date,
): Promise<void> {
  const { adam, olivia } = actors
  const invited = { email: 'kenji@bayflight.example', name: 'Kenji Mori', ...roleFlags({ instructor: true }) }
  await school.at(daysFrom(now, -3), (tx) => inviteMember(tx, mailTokens, adam, invited))
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const nora = { name: 'Nora Walsh', email: 'nora@bayflight.example', passwordHash }
  const accountId = await school.at(daysFrom(now, -1), (tx) => openAccount(tx, mailTokens, nora))
  await school.at(daysFrom(now, -1), (tx) => updateOrganization(tx, olivia, { private: true }))
  await school.at(daysFrom(now, -1), async (tx) => {
    const { code } = await tx.db
      .selectFrom('organization')
      .select('code')
      .where('id', '=', adam.organizationId)
      .executeTakeFirstOrThrow()
    return joinOrganization(tx, accountId, code)
  })
}
