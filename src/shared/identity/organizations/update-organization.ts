import type { Actor } from '../../platform/authz/actor.ts'
import { holdBack, type Loosened } from '../../platform/authz/loosened.rules.ts'
import { mergeSettings, readSettings, type SettingsPatch } from '../../platform/authz/organization-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { identityErrors } from '../identity.errors.ts'
import type { Address, Organization, OrganizationDetails, organizationTypes } from '../organizations.tables.ts'
import { lockOrganization } from './organization.access.ts'
import { findLocationIds, hasBilled } from './organization.queries.ts'
import { applyLoosened } from './organizations.jobs.ts'

export interface OrganizationChanges {
  name?: string | undefined
  organizationType?: (typeof organizationTypes)[number] | undefined
  about?: string | null | undefined
  showInDirectory?: boolean | undefined
  private?: boolean | undefined
  details?: { email?: string | undefined; phone?: string | undefined; address?: Address | undefined } | undefined
  settings?: SettingsPatch | undefined
}

/**
 * Changes the given fields; details, the address in them, and settings are merged key by key. Takes the organization's
 * lock, so that concurrent changes are not lost. Returns in `loosened` the money controls that the change loosens:
 * their new values take effect after 24 hours. `papersWaived`: overrides no longer need the paper that was seen.
 * Implements interface §Organizations, PATCH /organizations.
 */
export async function updateOrganization(
  tx: Tx,
  actor: Actor,
  changes: OrganizationChanges,
): Promise<{ id: number; loosened: Loosened[]; papersWaived: boolean }> {
  const organization = await lockOrganization(tx, actor.organizationId)
  const { about, details, settings, ...plain } = changes
  const before = figuresOf(organization, settings)
  let loosened: Loosened[] = []
  let papersWaived = false
  tx.em.assign(organization, Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)))
  if (about !== undefined) organization.about = about
  if (details) organization.details = mergeDetails(organization.details, details)
  if (settings) {
    const merged = mergeSettings(organization.settings, settings)
    const changes = readSettings(merged).currency !== readSettings(organization.settings).currency
    await assertHasTaxedLocations(tx, actor, settings)
    if (changes && (await hasBilled(tx.db, organization.id))) {
      throw identityErrors.currencyInUse()
    }
    const stored = readSettings(organization.settings)
    const held = holdBack(stored, readSettings(merged), Object.keys(settings), tx.now)
    loosened = held.loosened
    papersWaived = stored.overridesNeedPaper && !readSettings(merged).overridesNeedPaper
    organization.settings = { ...merged, ...held.settings }
  }
  const [first] = loosened
  if (first) tx.enqueue(applyLoosened, { organizationId: organization.id }, { availableAt: first.from })
  const subject = { kind: 'organization', id: organization.id } as const
  const after = { ...figuresOf(organization, settings), ...(loosened.length > 0 && { loosened }) }
  emit(tx, actor, { kind: 'organization.changed', subject, before, after })
  return { id: organization.id, loosened, papersWaived }
}

async function assertHasTaxedLocations(tx: Tx, { organizationId }: Actor, { taxRates }: SettingsPatch): Promise<void> {
  const named = (taxRates ?? []).flatMap(({ locationIds }, rate) =>
    locationIds.map((id, place) => ({ id, field: `settings.taxRates.${rate}.locationIds.${place}` })),
  )
  if (named.length === 0) return
  const known = await findLocationIds(tx.db, organizationId)
  const strange = named.find(({ id }) => !known.has(id))
  if (strange) throw identityErrors.unknownLocation({ field: strange.field })
}

/**
 * Returns the facts for the audit log. Leaves out contact details, and all settings except those that the change names.
 */
function figuresOf(organization: Organization, named: object = {}) {
  const { name, organizationType, showInDirectory, private: isPrivate, settings } = organization
  const keys = Object.keys(named)
  const kept = Object.entries(readSettings(settings)).filter(([key]) => keys.includes(key))
  return { name, organizationType, showInDirectory, private: isPrivate, settings: Object.fromEntries(kept) }
}

function mergeDetails(
  stored: OrganizationDetails,
  given: NonNullable<OrganizationChanges['details']>,
): OrganizationDetails {
  return {
    email: given.email ?? stored.email,
    phone: given.phone ?? stored.phone,
    address: { ...stored.address, ...given.address },
  }
}
