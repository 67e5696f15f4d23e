import type { Readable } from 'node:stream'

/** What may be uploaded: one object of one type, up to a size, until an instant. */
export interface UploadPolicy {
  key: string
  contentType: string
  maxBytes: number
  expiresAt: Date
}

/** A form that a client posts with the object as its last field, `file`. */
interface PresignedPost {
  url: string
  fields: Record<string, string>
}

/** An object as its readers get it. */
interface ReadLink {
  key: string
  /** The name that a browser saves it under. */
  fileName: string
  expiresAt: Date
}

/** Where files lie. Keys are `<organization>/<uuid>.<extension>`; the extension fixes the content type. */
export interface ObjectStorage {
  presignUpload(policy: UploadPolicy): Promise<PresignedPost>
  /** An address that answers the object, to whoever has it, until it expires. */
  presignRead(link: ReadLink): Promise<string>
  has(key: string): Promise<boolean>
  /** Drops the object; one that is not there is as good as dropped. */
  remove(key: string): Promise<void>
  /** Drops everything in an organization's folder. */
  removeAll(organizationId: number): Promise<void>
  /** The service's own store, which takes and answers objects itself; null where object storage does. */
  own: OwnStore | null
}

/** An object that the service answers itself. */
interface OpenedObject {
  content: Readable
  size: number
  contentType: string
  fileName: string
}

/** The service as its own object storage: what its upload and read addresses do. */
export interface OwnStore {
  /** The policy that posted fields carry. @throws Forbidden when it is not ours, has expired, or says something else. */
  admit(fields: Record<string, string>, now: Date): UploadPolicy
  /**
   * Keeps what is streamed in, once all of it came and `claim`, if given, has not thrown.
   * @throws AppError 413 when it is larger than the policy allows
   * @throws Invalid when it is not of the type it claims
   * @throws Unavailable when the disk is full
   */
  receive(policy: UploadPolicy, content: Readable, claim?: () => Promise<void>): Promise<void>
  /** @throws Forbidden when the link is not ours or has expired, NotFound when the object is gone. */
  open(link: { key: string; fileName: string; expires: string; signature: string }, now: Date): Promise<OpenedObject>
  /** Drops halves of objects that nothing was added to since an instant: a crash left them. Answers how many. */
  dropHalves(before: Date): Promise<number>
}
