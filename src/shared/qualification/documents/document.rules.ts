import { deskStaff, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'

export const documentCategories = [
  'medical',
  'certificate',
  'identification',
  'insurance',
  'contract',
  'other',
] as const
export type DocumentCategory = (typeof documentCategories)[number]

/** How many days of 24 hours before the expiry its notification is sent. */
export const NOTIFY_DAYS_AHEAD = 30

/** The reader of documents. */
export interface Reader {
  orgUserId: number
  roles: RoleFlags
}

/** The owner of a document, null for the organization, and the member who uploaded it. */
interface Ownership {
  membershipId: number | null
  uploadedBy: number
}

/**
 * Decides whether somebody reads every member's documents: desk staff. Others read their own and the organization's.
 */
export function readsAll({ roles }: Pick<Reader, 'roles'>): boolean {
  return hasRole(roles, deskStaff)
}

/** Decides whether somebody may see a document. */
export function maySee(reader: Reader, { membershipId }: Ownership): boolean {
  return readsAll(reader) || membershipId === null || membershipId === reader.orgUserId
}

/** Decides whether somebody may change or delete a document: desk staff, and members their own that they uploaded. */
export function mayChange(reader: Reader, { membershipId, uploadedBy }: Ownership): boolean {
  return readsAll(reader) || (membershipId === reader.orgUserId && uploadedBy === reader.orgUserId)
}

/** Returns the initial `expiryToldAt`: now for an expiry already past, since its writer sees that; else null. */
export function initialExpiryToldAt(expiresAt: Date | null, now: Date): Date | null {
  return expiresAt !== null && expiresAt <= now ? now : null
}
