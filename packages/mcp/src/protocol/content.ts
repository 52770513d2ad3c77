/** The audience and the importance of content. */
export interface ContentAnnotations {
  audience?: ('assistant' | 'user')[] | undefined;
  priority?: number | undefined;
  lastModified?: string | undefined;
}

interface Content {
  annotations?: ContentAnnotations | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** Text. */
export interface TextContent extends Content {
  type: 'text';
  text: string;
}

/** A picture or a recording. */
export interface MediaContent extends Content {
  type: 'image' | 'audio';
  /** Base64. */
  data: string;
  mimeType: string;
}

/** An icon of a tool or resource. */
export interface Icon {
  src: string;
  mimeType?: string | undefined;
  sizes?: string[] | undefined;
  theme?: 'dark' | 'light' | undefined;
}

/** A reference to a resource. */
export interface ResourceLink extends Content {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  mimeType?: string | undefined;
  size?: number | undefined;
  icons?: Icon[] | undefined;
}

/** A resource with its contents. */
export interface EmbeddedResource extends Content {
  type: 'resource';
  resource: ({ text: string } | { blob: string }) & {
    uri: string;
    mimeType?: string | undefined;
    _meta?: Record<string, unknown> | undefined;
  };
}

/** One part of a tool's result. */
export type ContentBlock = TextContent | MediaContent | ResourceLink | EmbeddedResource;
