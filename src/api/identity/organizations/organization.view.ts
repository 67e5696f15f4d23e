import { z } from 'zod'
import type { OrganizationRow } from '../../../shared/identity/organizations/organization.queries.ts'
import { organizationTypes } from '../../../shared/identity/organizations.tables.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { organizationSettings, readSettings } from '../../../shared/platform/authz/organization-settings.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'
import { AddressView, Location, locationView } from '../locations/location.view.ts'

/** The reader of an organization: an admin, or anybody else, who reads the lines of its addresses in `GET /locations` if at all. */
export type OrganizationReader = 'public' | 'admin'

export const Organization = z
  .object({
    id: Id,
    name: z.string(),
    organizationType: z.enum(organizationTypes),
    about: z.string().nullable(),
    showInDirectory: z.boolean(),
    private: z.boolean(),
    demo: z.boolean(),
    timeZoneName: z.string(),
    details: z.object({
      email: z.string(),
      phone: z.string(),
      address: AddressView,
    }),
    locations: z.array(Location),
    code: z
      .string()
      .optional()
      .describe('The join code of the active organization, for its admins. Left out for others'),
    settings: organizationSettings
      .omit({ rules: true })
      .optional()
      .describe('The settings of the active organization, for its admins. Left out for others'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Organization' })

/** Returns what kind of reader the caller is of an organization; `admin` in the active organization alone. */
export function readerOf(actor: Actor | null, organizationId: number): OrganizationReader {
  return actor?.organizationId === organizationId && is(actor, admins) ? 'admin' : 'public'
}

export function organizationView(row: OrganizationRow, reader: OrganizationReader): z.input<typeof Organization> {
  const { details } = row
  const withoutLines = ({ line1: _1, line2: _2, postalCode: _3, ...rest }: Record<string, unknown>) => rest
  const address = (given: object) => (reader === 'admin' ? { ...given } : withoutLines({ ...given }))
  return {
    id: row.id,
    name: row.name,
    organizationType: row.organization_type,
    about: row.about ?? null,
    showInDirectory: row.show_in_directory,
    private: row.private,
    demo: row.demo,
    timeZoneName: row.time_zone_name,
    details: { email: details.email, phone: details.phone, address: address(details.address) },
    locations: row.locations.map((location) => {
      const view = locationView(location)
      return { ...view, address: address(view.address) }
    }),
    ...(reader === 'admin' && innerSide(row)),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/**
 * Returns what the public sees of an organization, and to admins its inner side. Address lines stand in `GET /locations` and
 * in the organizations of the caller.
 */
export function organizationDetail(row: OrganizationRow, reader: OrganizationReader): z.input<typeof Organization> {
  return { ...organizationView(row, 'public'), ...(reader === 'admin' && innerSide(row)) }
}

function innerSide(row: OrganizationRow): Pick<z.input<typeof Organization>, 'code' | 'settings'> {
  return { code: row.code, settings: readSettings(row.settings) }
}
