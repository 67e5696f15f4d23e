import { deskStaff, hasRole, type Role, type RoleFlags } from '../../platform/authz/roles.ts'

/** The review of a document by desk staff; `pending` until they decide. */
export const documentStatuses = ['pending', 'verified', 'rejected'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

/**
 * Returns the fields of a document that the audit log keeps: owner, category and status; never its title, dates or
 * note. Implements interface §Documents.
 */
export function auditedDocument(document: {
  membershipId?: number | null | undefined
  category: string
  status: DocumentStatus
}) {
  return { orgUserId: document.membershipId ?? null, category: document.category, status: document.status }
}

/** The reader of documents. */
export interface Reader {
  orgUserId: number
  roles: RoleFlags
}

/**
 * The facts that decide access to a document: its owner (null: the organization), its uploader, and the roles that see
 * it.
 */
interface Ownership {
  membershipId: number | null
  uploadedBy: number
  roles: readonly Role[]
}

/**
 * Returns whether a member may read the documents of all members: true for desk staff. Others read their own and the
 * organization's. Implements interface §Documents.
 */
export function readsAll({ roles }: Pick<Reader, 'roles'>): boolean {
  return hasRole(roles, deskStaff)
}

/**
 * Returns whether a member may see a document. Desk staff may see all documents; others their own, and those of the
 * organization that are for everyone or for one of their roles. Implements interface §Documents.
 */
export function maySee(reader: Reader, { membershipId, roles }: Ownership): boolean {
  if (readsAll(reader) || membershipId === reader.orgUserId) return true
  return membershipId === null && (roles.length === 0 || hasRole(reader.roles, roles))
}

/**
 * Returns whether a member may change or delete a document. Desk staff may change all documents; others those of their own
 * that they uploaded themselves. Implements interface §Documents.
 */
export function mayChange(reader: Reader, { membershipId, uploadedBy }: Ownership): boolean {
  return readsAll(reader) || (membershipId === reader.orgUserId && uploadedBy === reader.orgUserId)
}

/**
 * Returns whether a member may verify or reject a document. Desk staff may, except for their own documents. Implements
 * interface §Documents.
 */
export function mayReview(reader: Reader, { membershipId }: Pick<Ownership, 'membershipId'>): boolean {
  return readsAll(reader) && membershipId !== reader.orgUserId
}

/**
 * Returns whether a member who may change a document may delete it: desk staff always, others while it is not verified.
 * Implements interface §Documents.
 */
export function mayDelete(reader: Reader, { status }: { status: DocumentStatus }): boolean {
  return readsAll(reader) || status !== 'verified'
}

/** The categories of documents for which the audit log records that another member read them. */
const sensitive: readonly string[] = ['medical', 'identification']

/**
 * Returns whether reading a document is recorded in the audit log: true for another member's medical or identification.
 * Implements interface §Documents.
 */
export function isReadingAudited(
  reader: Pick<Reader, 'orgUserId'>,
  { membershipId, category }: { membershipId: number | null; category: string },
): boolean {
  return membershipId !== null && membershipId !== reader.orgUserId && sensitive.includes(category)
}
