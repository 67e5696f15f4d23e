import { randomBytes } from 'node:crypto'
import type { ResourceTraits } from '../../src/shared/fleet/resources/resource.rules.ts'
import type { OrganizationSettings } from '../../src/shared/platform/authz/organization-settings.ts'
import { type Role, roleFlags } from '../../src/shared/platform/authz/roles.ts'
import { type Cents, cents, type Hundredths, hundredths } from '../../src/shared/platform/kernel/units.ts'
import type { TestApp } from './app.ts'

/** A member who can sign in: `token` is for their organization. */
export interface Member {
  accountId: number
  orgUserId: number
  organizationId: number
  name: string
  email: string
  token: string
}

/** An organization with one member of each role, an airport in UTC and a plane at that airport. */
export interface School {
  organizationId: number
  owner: Member
  admin: Member
  dispatcher: Member
  instructor: Member
  student: Member
  renter: Member
  technician: Member
  location: { id: number; name: string; timeZoneName: string }
  plane: { id: number; name: string }
}

/** Where schools are built: a test's API, or the database of a benchmark. */
export type SchoolPlace = Pick<TestApp, 'clock'> & { core: Pick<TestApp['core'], 'database' | 'tokens' | 'clock'> }

export interface SchoolOptions {
  settings?: Partial<OrganizationSettings>
  demo?: boolean
  timeZoneName?: string
}

/** Certificates are not recorded of the people of a built school; the tests of the rule turn it on. */
const withoutRatings = { rules: { pilot_rating: { enforcement: 'off' as const } } }

/** Builds a school with direct inserts. Each call creates another organization with other people. */
export async function buildSchool(api: SchoolPlace, options: SchoolOptions = {}): Promise<School> {
  const { settings = {}, demo = false, timeZoneName = 'UTC' } = options
  const organization = await api.core.database.db
    .insertInto('organization')
    .values({
      name: 'Bay Flight Academy',
      organization_type: 'flight_school',
      time_zone_name: timeZoneName,
      details: { email: 'desk@bayflight.example', phone: '+1 510 555 0100', address: {} },
      code: joinCode(),
      settings: { ...withoutRatings, ...settings },
      demo,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const organizationId = organization.id
  const location = await buildLocation(api, organizationId, { timeZoneName })
  const [owner, admin, dispatcher, instructor, student, renter, technician] = await buildMembers(api, organizationId, [
    ['owner', 'admin'],
    ['admin'],
    ['dispatcher'],
    ['instructor'],
    ['student'],
    ['renter'],
    ['technician'],
  ])
  const plane = await buildPlane(api, { organizationId, location })
  return { organizationId, owner, admin, dispatcher, instructor, student, renter, technician, location, plane }
}

/** Writes settings as they hold, without the day that a loosened control waits. */
export async function writeSettings(api: TestApp, organizationId: number, settings: object): Promise<void> {
  const write = 'update organization set settings = settings || $2 where id = $1'
  await api.core.database.pool.query(write, [organizationId, settings])
}

/** Builds a member with a new account, these roles and a verified address. */
export async function buildMember(api: SchoolPlace, organizationId: number, roles: Role[]): Promise<Member> {
  const [member] = await buildMembers(api, organizationId, [roles])
  return member
}

/** Builds one member per list of roles, with new accounts and verified addresses. */
export async function buildMembers<const Roles extends Role[][]>(
  { core, clock }: SchoolPlace,
  organizationId: number,
  all: Roles,
): Promise<{ [Index in keyof Roles]: Member }> {
  const people = all.map(([role]) => person(role))
  const accounts = await core.database.db
    .insertInto('account')
    .values(people.map((one) => accountRow(one, clock.now)))
    .returning('id')
    .execute()
  const memberships = await core.database.db
    .insertInto('membership')
    .values(
      all.map((roles, index) => ({
        organization_id: organizationId,
        account_id: accounts[index]!.id,
        ...roleFlags(Object.fromEntries(roles.map((role) => [role, true]))),
      })),
    )
    .returning('id')
    .execute()
  const members = people.map(async ({ name, email }, index) => {
    const accountId = accounts[index]!.id
    const orgUserId = memberships[index]!.id
    const { token } = await core.tokens.issue({ accountId, organizationId, membershipId: orgUserId }, core.clock())
    return { accountId, orgUserId, organizationId, name, email, token }
  })
  return (await Promise.all(members)) as { [Index in keyof Roles]: Member }
}

function person(role = 'guest') {
  const name = `${role} ${unique()}`
  return { name, email: `${name.replace(' ', '.').toLowerCase()}@example.com` }
}

function accountRow({ name, email }: { name: string; email: string }, verifiedAt: Date | null) {
  return {
    name,
    email,
    password_hash: 'nobody signs in with this',
    email_verified_at: verifiedAt,
    tokens_valid_from: new Date(0),
  }
}

/** Builds an account without an organization, named after a role; its address is verified by default. */
export async function buildAccount(
  api: TestApp,
  given: { role?: Role | undefined; verified?: boolean } = {},
): Promise<Pick<Member, 'accountId' | 'name' | 'email' | 'token'>> {
  const { role, verified = true } = given
  const { name, email } = person(role)
  const { id: accountId } = await api.core.database.db
    .insertInto('account')
    .values(accountRow({ name, email }, verified ? api.clock.now : null))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { token } = await api.core.tokens.issue(
    { accountId, organizationId: null, membershipId: null },
    api.core.clock(),
  )
  return { accountId, name, email, token }
}

/** Returns the number of an organization's owners who are admins too. */
export async function ownersOf(api: TestApp, organizationId: number): Promise<number> {
  const { rows } = await api.core.database.pool.query<{ owners: number }>(
    'select count(*)::int as owners from membership where organization_id = $1 and owner and admin and removed_at is null',
    [organizationId],
  )
  return rows[0]?.owners ?? 0
}

/** Builds another location of an organization. */
export async function buildLocation(
  api: SchoolPlace,
  organizationId: number,
  given: { name?: string; timeZoneName?: string } = {},
): Promise<School['location']> {
  const { name = 'Hayward Executive', timeZoneName = 'UTC' } = given
  const { id } = await api.core.database.db
    .insertInto('location')
    .values({
      organization_id: organizationId,
      name,
      airport_identifier: 'KHWD',
      time_zone_name: timeZoneName,
      address: {},
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, name, timeZoneName }
}

/** Builds another single-engine plane of a school, at its location: Hobbs 1000.00, tach 900.00, wet 180.00 an hour. */
export async function buildPlane(
  api: SchoolPlace,
  school: Pick<School, 'organizationId' | 'location'>,
  given: { name?: string } = {},
): Promise<School['plane']> {
  return buildResource(api, school, {
    kind: 'plane',
    name: given.name ?? `N${unique()}`,
    traits: { engines: 1, category: 'airplane', class: 'single_engine_land', fuelUnits: 'gallons' },
    wet_rate_cents: cents(18_000),
    hobbs_hundredths: hundredths(100_000),
    tach_hundredths: hundredths(90_000),
  })
}

/** Builds another simulator of a school, at its location: Hobbs 500.00, 90.00 an hour. */
export function buildSimulator(
  api: SchoolPlace,
  school: Pick<School, 'organizationId' | 'location'>,
): Promise<School['plane']> {
  return buildResource(api, school, {
    kind: 'simulator',
    name: `Simulator ${unique()}`,
    traits: { deviceKind: 'aatd' },
    wet_rate_cents: cents(9_000),
    hobbs_hundredths: hundredths(50_000),
  })
}

/** Builds another room of a school, at its location. */
export function buildRoom(
  api: SchoolPlace,
  school: Pick<School, 'organizationId' | 'location'>,
): Promise<School['plane']> {
  return buildResource(api, school, { kind: 'room', name: `Room ${unique()}`, traits: { seats: 12 } })
}

interface ResourceColumns {
  kind: 'plane' | 'simulator' | 'room'
  name: string
  traits: ResourceTraits
  wet_rate_cents?: Cents
  hobbs_hundredths?: Hundredths
  tach_hundredths?: Hundredths
}

async function buildResource(
  api: SchoolPlace,
  { organizationId, location }: Pick<School, 'organizationId' | 'location'>,
  columns: ResourceColumns,
): Promise<School['plane']> {
  const { id } = await api.core.database.db
    .insertInto('resource')
    .values({ organization_id: organizationId, location_id: location.id, ...columns })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, name: columns.name }
}

const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ'

function joinCode(): string {
  return Array.from(randomBytes(6), (byte) => letters[byte % letters.length]).join('')
}

function unique(): string {
  return randomBytes(4).toString('hex').toUpperCase()
}
