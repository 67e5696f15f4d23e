import { z } from 'zod'
import type { OrganizationRow } from '../../../shared/identity/organizations/organization.queries.ts'
import { organizationTypes } from '../../../shared/identity/organizations.tables.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { organizationSettings, readSettings } from '../../../shared/platform/authz/organization-settings.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'
import { AddressView, Location, locationView } from '../locations/location.view.ts'

/**
 * Who reads an organization: one of its admins, or anybody else (`public`). `public` gets no address lines from this view; members get them from `GET /locations`.
 */
export type OrganizationReader = 'public' | 'admin'

export const Organization = z
  .object({
    id: Id,
    name: z.string(),
    organizationType: z.enum(organizationTypes).meta({ choices: 'OrganizationType' }),
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

/** Returns the kind of reader: `admin` for an admin whose active organization it is, otherwise `public`. */
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
 * Returns an organization as the public sees it; for admins also with the join code and the settings. Address lines are
 * in `GET /locations` and in the list of the caller's organizations.
 */
export function organizationDetail(row: OrganizationRow, reader: OrganizationReader): z.input<typeof Organization> {
  return { ...organizationView(row, 'public'), ...(reader === 'admin' && innerSide(row)) }
}

function innerSide(row: OrganizationRow): Pick<z.input<typeof Organization>, 'code' | 'settings'> {
  return { code: row.code, settings: readSettings(row.settings) }
}
