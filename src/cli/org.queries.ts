import type pg from 'pg'

/** An organization as operators list it. */
export interface OrganizationSummary {
  id: number
  name: string
  members: number
  createdAt: Date
  demo: boolean
}

/** Returns every organization with the number of its present members, ordered by id. */
export async function summarizeOrganizations(pool: pg.Pool): Promise<OrganizationSummary[]> {
  const { rows } = await pool.query<OrganizationSummary>(
    `select o.id, o.name, o.created_at as "createdAt", o.demo,
            (select count(*)::int from membership m where m.organization_id = o.id and m.removed_at is null) as members
       from organization o order by o.id`,
  )
  return rows
}

/** A deleted organization as operators list it. */
export interface DeletedOrganizationSummary {
  id: number
  name: string
  members: number
  resources: number
  bookings: number
  invoices: number
  createdAt: Date
  deletedAt: Date
  /** The name and the account id of the owner who deleted it. */
  deletedBy: string
}

/** Returns every deleted organization, the latest deletion first. */
export async function summarizeDeletedOrganizations(pool: pg.Pool): Promise<DeletedOrganizationSummary[]> {
  const { rows } = await pool.query<DeletedOrganizationSummary>(
    `select d.id, d.name, d.members, d.resources, d.bookings, d.invoices, d.created_at as "createdAt",
            d.deleted_at as "deletedAt", format('%s (account %s)', a.name, a.id) as "deletedBy"
       from deleted_organization d join account a on a.id = d.deleted_by order by d.deleted_at desc, d.id desc`,
  )
  return rows
}

/** Returns the figures of one organization, without addresses of people; undefined when no organization has this id. */
export async function describeOrganization(pool: pg.Pool, id: number): Promise<Record<string, unknown> | undefined> {
  const { rows } = await pool.query(
    `select o.id, o.name, o.organization_type as type, o.time_zone_name as zone, o.created_at as since,
            (select count(*) from membership m where m.organization_id = o.id and m.removed_at is null) as members,
            (select string_agg(m.search_name, ', ' order by m.id) from membership m
              where m.organization_id = o.id and m.owner and m.removed_at is null) as owners,
            (select count(*) from resource r where r.organization_id = o.id) as resources,
            (select count(*) from reservation r where r.organization_id = o.id) as bookings,
            (select max(created_at) from reservation r where r.organization_id = o.id) as "last booking made",
            (select count(*) from invoice i where i.organization_id = o.id) as invoices,
            (select count(*) from outbox b where b.organization_id = o.id and b.failed_at is null) as "jobs pending",
            (select count(*) from outbox b where b.organization_id = o.id and b.failed_at is not null) as "jobs given up"
       from organization o where o.id = $1`,
    [id],
  )
  return rows[0]
}
