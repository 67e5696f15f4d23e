import type { Readable } from 'node:stream'

/** An upload policy: one object of one type, up to a size, until an instant. */
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

/** A link to an object. */
interface ReadLink {
  key: string
  /** The file name for the browser. */
  fileName: string
  expiresAt: Date
}

/** Stores files. Keys are `<organization>/<uuid>.<extension>`; the extension sets the content type. */
export interface ObjectStorage {
  presignUpload(policy: UploadPolicy): Promise<PresignedPost>
  /** Returns a URL with which anyone can download the object until it expires. */
  presignRead(link: ReadLink): Promise<string>
  /** Returns the size of the object in bytes; null when there is none. */
  sizeOf(key: string): Promise<number | null>
  /** Stores an object that the service made, of any size. When the stream fails, nothing is stored. Destroys the stream at the end. */
  write(key: string, content: Readable): Promise<void>
  /** Opens an object; null when there is none. */
  read(key: string): Promise<Readable | null>
  /** Deletes the object; does nothing when it does not exist. */
  remove(key: string): Promise<void>
  /** Deletes everything in an organization's folder. */
  removeAll(organizationId: number): Promise<void>
  /** The service's own store, which receives and serves objects; null with external object storage. */
  own: OwnStore | null
}

/** An object that the service serves itself. */
interface OpenedObject {
  content: Readable
  size: number
  contentType: string
  fileName: string
}

/** The service as its own object storage: the functions behind its upload and read URLs. */
export interface OwnStore {
  /**
   * Returns the upload policy that is in the posted form fields.
   * @throws Forbidden when the service did not sign the policy, the policy has expired, or the fields differ from it
   */
  admit(fields: Record<string, string>, now: Date): UploadPolicy
  /**
   * Stores a stream. The object exists only after the stream is complete and `claim`, if given, has accepted its size in
   * bytes.
   * @throws AppError 413 when it is larger than the policy allows
   * @throws Invalid when its first bytes are of another type than the policy's
   * @throws Unavailable when the disk is full
   */
  receive(policy: UploadPolicy, content: Readable, claim?: (bytes: number) => Promise<void>): Promise<void>
  /**
   * Opens the object of a signed read link.
   * @throws Forbidden when the service did not sign it, or it has expired
   * @throws NotFound when the object is deleted
   */
  open(link: { key: string; fileName: string; expires: string; signature: string }, now: Date): Promise<OpenedObject>
  /** Deletes partial objects, which a crash can leave, that were last written before an instant. Returns their number. */
  dropHalves(before: Date): Promise<number>
}
