import { z } from 'zod'
import { roles } from '../../shared/platform/authz/roles.ts'
import { overridingRoles } from '../../shared/platform/authz/rule-settings.ts'
import { distinct } from './schemas.ts'

/** Names of roles in a body. Repeated names are dropped. */
export const RoleNames = z
  .array(z.enum(roles).meta({ choices: 'Role' }))
  .max(50)
  .transform(distinct)

/** Names of the roles that may override a rule. Repeated names are dropped. */
export const OverridingRoles = z
  .array(z.enum(overridingRoles).meta({ choices: 'OverridingRole' }))
  .max(50)
  .transform(distinct)

/** The seven role flags of an answer. */
export const RoleFlagsView = z.object(Object.fromEntries(roles.map((role) => [role, z.boolean()])) as RoleShape)
type RoleShape = Record<(typeof roles)[number], z.ZodBoolean>

/** The seven role flags of a body; an absent one is false. */
export const RoleFlagsInput = z
  .object(
    Object.fromEntries(roles.map((role) => [role, z.boolean().default(false)])) as Record<
      (typeof roles)[number],
      z.ZodDefault<z.ZodBoolean>
    >,
  )
  .meta({ id: 'RoleFlags' })
