import { p } from '@mikro-orm/core'

/** One column per role, as memberships, invitations and join requests have them. */
export const roleColumns = {
  owner: p.boolean().default(false),
  admin: p.boolean().default(false),
  dispatcher: p.boolean().default(false),
  instructor: p.boolean().default(false),
  student: p.boolean().default(false),
  renter: p.boolean().default(false),
  technician: p.boolean().default(false),
}
