import { defineEntity, p } from '@mikro-orm/core'
import type { BackupKind } from './backup-mark.ts'
import { instant } from './columns.ts'

/** When the last backup was made, and when its journal was last brought up to date. Commands of operators write it. */
export const BackupMark = defineEntity({
  name: 'BackupMark',
  tableName: 'backup_mark',
  properties: { kind: p.text().$type<BackupKind>().primary(), at: instant() },
})
