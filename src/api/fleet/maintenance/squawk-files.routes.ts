import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { addSquawkFiles, deleteSquawkFile } from '../../../shared/fleet/maintenance/add-squawk-files.ts'
import { findFiles } from '../../../shared/fleet/resources/resource-file.queries.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, done } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { signedUrlData, signUpload } from '../../platform/storage/signed-files.ts'
import { FileParams } from '../resources/files.schemas.ts'
import { SquawkFilesBody } from './maintenance.schemas.ts'
import { MaintenanceFile, maintenanceFileView } from './maintenance-file.view.ts'

const tag = 'Maintenance'

/** The endpoints of the files of squawks. */
export const squawkFileRoutes: Routes = (on) => {
  on.post('/maintenance/squawks/:id/files', {
    id: 'addSquawkFiles',
    access: 'member',
    tag,
    summary: 'Add up to five files to a squawk',
    description:
      'Creates up to five file records and returns one signed upload for each, under the rules and limits of `POST ' +
      '/resources/{id}/files`. Allowed for admins, technicians, and the reporter while the squawk is open. All ' +
      'members see the files with the squawk. The files do not replace the maintenance record, which the school or ' +
      'the mechanic keeps (14 CFR 43.9, 91.417).',
    params: IdParams,
    body: SquawkFilesBody,
    answers: { 201: envelope(z.array(MaintenanceFile), signedUrlData) },
    errors: [
      platformErrors.fileTypeNotAccepted,
      [platformErrors.notAllowed, 'only admins, technicians, and the reporter while the squawk is open'],
      platformErrors.demoFilesFull,
      fleetErrors.squawkFileOfOthers,
      fleetErrors.noSuchSquawk,
      platformErrors.tooManyUploads,
    ],
    secret: true,
    rateLimit: { uploads: ({ body }) => body.fileNames.length },
    write: (tx, { actor, params, body }) => addSquawkFiles(tx, actor, params.id, body),
    answer: async ({ ids }, { db, actor, services, now }) => {
      const rows = await findFiles(db, actor.organizationId, ids)
      const files = await Promise.all(rows.map((row) => maintenanceFileView(row, { services, now })))
      return created(files, { signedUrlData: await Promise.all(rows.map((row) => signUpload(row, services.storage))) })
    },
  })

  on.delete('/maintenance/squawks/:id/files/:fileId', {
    id: 'deleteSquawkFile',
    access: 'member',
    tag,
    summary: 'Delete a file of a squawk',
    description: 'Deletes one file. Allowed for admins, technicians, and the reporter while the squawk is open.',
    params: FileParams,
    answers: { 204: null },
    errors: [fleetErrors.squawkFileOfOthers, fleetErrors.noSuchSquawk],
    write: (tx, { actor, params }) => deleteSquawkFile(tx, actor, params),
    answer: () => done(),
  })
}
