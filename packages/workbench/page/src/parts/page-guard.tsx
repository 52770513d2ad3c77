import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
}

/** Keeps the other pages usable when one of them fails. */
export class PageGuard extends Component<Props, { readonly problem: string | undefined }> {
  override state = { problem: undefined };

  static getDerivedStateFromError(error: unknown): { readonly problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <div className="notice bad" role="alert">
        <p>This page has failed: {problem}</p>
        <p>
          <button type="button" onClick={() => this.setState({ problem: undefined })}>
            Show it again
          </button>
        </p>
      </div>
    );
  }
}
