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

/** How many days of 24 hours ahead its end is told of. */
export const TOLD_DAYS_AHEAD = 30

/** Who asks for documents. */
export interface Reader {
  orgUserId: number
  roles: RoleFlags
}

/** Whose a document is, null for the organization's, and who added it. */
interface Filed {
  membershipId: number | null
  uploadedBy: number
}

/** Whether somebody reads the documents of every member: desk staff. Others read their own and the organization's. */
export function readsAll({ roles }: Pick<Reader, 'roles'>): boolean {
  return hasRole(roles, deskStaff)
}

/** Whether somebody may see a document. */
export function maySee(reader: Reader, { membershipId }: Filed): boolean {
  return readsAll(reader) || membershipId === null || membershipId === reader.orgUserId
}

/** Whether somebody may change or delete a document: desk staff, and members what they added of their own. */
export function mayChange(reader: Reader, { membershipId, uploadedBy }: Filed): boolean {
  return readsAll(reader) || (membershipId === reader.orgUserId && uploadedBy === reader.orgUserId)
}

/** When a new end counts as told of: an end that is past when it is written is known to who writes it. */
export function toldWhenWritten(expiresAt: Date | null, now: Date): Date | null {
  return expiresAt !== null && expiresAt <= now ? now : null
}
