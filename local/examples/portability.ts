import type { ExampleRun } from './example-run.ts'

/** Reads an import template, and starts a dry run of an import and two exports, which wait for a worker. */
export async function portabilityExamples({ send }: ExampleRun): Promise<void> {
  await send('olivia', 'GET /imports/templates/{kind}', { params: { kind: 'locations' } })
  const started = await send('olivia', 'POST /imports', {
    body: {
      kind: 'members',
      text:
        'externalId,name,email,roles,birthDate\n' +
        'M-1042,Ana Ruiz,ana.ruiz@example.com,student renter,1994-03-14\n' +
        'M-1043,Bea Lund,,student,2001-11-30\n',
      dryRun: true,
    },
  })
  await send('olivia', 'GET /imports/{id}/errors', { params: { id: started.id } })
  await send('olivia', 'POST /exports', { body: {} })
  await send('samir', 'POST /users/export', { body: {} })
}
