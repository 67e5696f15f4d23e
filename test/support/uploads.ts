import type { TestApp } from './app.ts'

/** A signed upload, as an answer has it. */
export interface SignedPost {
  url: string
  fields: Record<string, string>
}

/** Posts bytes to a signed upload, as a browser does. Returns the status. */
export async function uploadTo(api: TestApp, { url, fields }: SignedPost, bytes: Buffer): Promise<number> {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', new Blob([new Uint8Array(bytes)]), 'x')
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const response = await api.app.inject({
    method: 'POST',
    url: new URL(url).pathname,
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return response.statusCode
}
