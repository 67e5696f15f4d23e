import { type SelectQueryBuilder, sql } from 'kysely'
import { type OrganizationSettings, readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db, Tables } from '../../platform/db/database.ts'
import type { Placed, Position } from '../../platform/db/keyset.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { containing } from '../../platform/db/read-rows.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

/**
 * Selects the locations of organizations, oldest first, because an organization has the time zone of its first
 * location.
 */
export function selectLocations(db: Db, organizationIds: number[]) {
  return db.selectFrom('location').selectAll().where('organization_id', 'in', organizationIds).orderBy('id')
}

export type LocationRow = Awaited<ReturnType<ReturnType<typeof selectLocations>['execute']>>[number]

/** Returns organizations with their locations, sorted by name. */
export async function findOrganizations(db: Db, ids: number[]) {
  if (ids.length === 0) return []
  const [organizations, locations] = await Promise.all([
    db.selectFrom('organization').selectAll().where('id', 'in', ids).orderBy('name').orderBy('id').execute(),
    selectLocations(db, ids).execute(),
  ])
  return organizations.map((organization) => ({
    ...organization,
    locations: locations.filter((location): location is LocationRow => location.organization_id === organization.id),
  }))
}

export type OrganizationRow = Awaited<ReturnType<typeof findOrganizations>>[number]

/** Returns one organization. */
export async function findOrganization(db: Db, id: number): Promise<OrganizationRow> {
  const [organization] = await findOrganizations(db, [id])
  if (!organization) throw platformErrors.noSuchRecord()
  return organization
}

/** Returns the name and the time zone of an organization that exists. */
export async function findNameAndZone(db: Db, id: number): Promise<{ name: string; zone: string }> {
  return db
    .selectFrom('organization')
    .select(['name', 'time_zone_name as zone'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/**
 * Lists the organizations that an account is a member of, sorted by name.
 * Implements interface §Organizations, GET /organizations.
 */
export function listOwnOrganizations(db: Db, accountId: number) {
  const own = selectMemberships(db, accountId)
  return listed(db, db.selectFrom('organization').select('id').where('id', 'in', own))
}

/**
 * Returns an organization that is listed in the directory, or that the account is a member of.
 * Implements interface §Organizations, GET /organizations/{orgId}.
 */
export async function findVisibleOrganization(db: Db, accountId: number, id: number): Promise<OrganizationRow> {
  const organization = await findOrganization(db, id)
  if (organization.show_in_directory) return organization
  const own = await selectMemberships(db, accountId).where('organization_id', '=', id).executeTakeFirst()
  if (!own) throw platformErrors.noSuchRecord()
  return organization
}

/**
 * Lists the public directory, sorted by name. With `q`, only organizations whose name, city, location or airport
 * contains it.
 */
export function listDirectory(db: Db, q: string | undefined) {
  const pattern = containing(q ?? '')
  return listed(
    db,
    db
      .selectFrom('organization')
      .select('id')
      .where('show_in_directory', '=', true)
      .$if(q !== undefined, (query) =>
        query.where((eb) =>
          eb.or([
            eb('name', 'ilike', pattern),
            sql<boolean>`details -> 'address' ->> 'city' ilike ${pattern}`,
            eb.exists(
              eb
                .selectFrom('location')
                .select('location.id')
                .whereRef('location.organization_id', '=', 'organization.id')
                .where((inner) =>
                  inner.or([
                    inner('location.name', 'ilike', pattern),
                    inner('location.airport_identifier', 'ilike', pattern),
                  ]),
                ),
            ),
          ]),
        ),
      ),
  )
}

/** Returns a pageable list of the organizations whose ids a query selects, sorted by name. */
function listed(db: Db, query: SelectQueryBuilder<Tables, 'organization', { id: number }>) {
  const ids = pageable(
    db,
    query.orderBy('name').orderBy('id') as unknown as SelectQueryBuilder<Tables, never, { id: number }>,
  )
  const read = (rows: { id: number }[]) =>
    findOrganizations(
      db,
      rows.map((row) => row.id),
    )
  return {
    count: ids.count,
    slice: async (offset: number, limit: number) => read(await ids.slice(offset, limit)),
    async following(after: Position | null, limit: number): Promise<Placed<OrganizationRow>[]> {
      const rows = await ids.following(after, limit)
      const places = new Map(rows.map((row) => [row.id, row.cursorPosition]))
      return (await read(rows)).map((row) => ({ ...row, cursorPosition: places.get(row.id) ?? [] }))
    },
  }
}

function selectMemberships(db: Db, accountId: number) {
  return db
    .selectFrom('membership')
    .select('organization_id')
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
}

/**
 * Returns whether an organization has an invoice that did not fail, a package, a customer at the payment gateway, a
 * ledger entry or a pay run.
 */
export async function hasBilled(db: Db, organizationId: number): Promise<boolean> {
  const { rows } = await sql<{ billed: boolean }>`
    select exists (select 1 from invoice where organization_id = ${organizationId} and status <> 'failed')
      or exists (select 1 from package where organization_id = ${organizationId})
      or exists (select 1 from gateway_customer where organization_id = ${organizationId})
      or exists (select 1 from ledger_entry where organization_id = ${organizationId})
      or exists (select 1 from pay_run where organization_id = ${organizationId}) as billed`.execute(db)
  return rows[0]?.billed ?? false
}

/** Returns the ids of an organization's locations. */
export async function findLocationIds(db: Db, organizationId: number): Promise<Set<number>> {
  const rows = await db.selectFrom('location').select('id').where('organization_id', '=', organizationId).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Lists an organization's locations, oldest first. */
export function listLocations(db: Db, organizationId: number) {
  return pageable(db, selectLocations(db, [organizationId]))
}

/** Returns one location of the organization. */
export async function findLocation(db: Db, organizationId: number, id: number): Promise<LocationRow> {
  const row = await selectLocations(db, [organizationId]).where('id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/** The organization in whose name a mail is sent. */
export interface MailSender {
  name: string
  demo: boolean
  /** Null unless the organization's email address is a verified address of one of its owners or admins. */
  replyTo: { name: string; address: string } | null
}

/**
 * Returns the sender of an organization's mails; null when the organization is deleted. Replies go to its address only
 * when that is the verified address of one of its owners or admins, since anyone can type another address.
 */
export async function findSender(db: Db, organizationId: number): Promise<MailSender | null> {
  const row = await db
    .selectFrom('organization as o')
    .select(['o.name', 'o.demo'])
    .select(
      sql<string | null>`(select a.email from membership m join account a on a.id = m.account_id
        where m.organization_id = o.id and m.removed_at is null and (m.owner or m.admin)
          and a.email_verified_at is not null and a.deleted_at is null
          and lower(a.email) = lower(o.details ->> 'email') limit 1)`.as('address'),
    )
    .where('o.id', '=', organizationId)
    .executeTakeFirst()
  if (!row) return null
  const { name, demo, address } = row
  return { name, demo, replyTo: address === null ? null : { name, address } }
}

/** The most organizations whose names are returned. */
const MOST_NAMES = 10_000

/**
 * Returns the names of organizations by their ids, for operators. With more than 10,000 organizations, only the newest
 * 10,000.
 */
export async function findOrganizationNames(db: Db): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('organization')
    .select(['id', 'name'])
    .orderBy('id', 'desc')
    .limit(MOST_NAMES)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Returns the settings of an organization. */
export async function findSettings(db: Db, organizationId: number): Promise<OrganizationSettings> {
  const row = await db.selectFrom('organization').select('settings').where('id', '=', organizationId).executeTakeFirst()
  return readSettings(row?.settings ?? {})
}
