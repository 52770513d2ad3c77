import type { Tool, ToolSet } from 'ai';
import type { AnyTool, ToolResult } from '@haft/core';

// oxlint-disable-next-line typescript/no-explicit-any -- a ToolSet requires it for types that are not known
type Anything = any;

declare const origin: unique symbol;

/** Haft tools that `fromAiSdkTools` made of a tool set. The compiler remembers the names, inputs and contexts. */
export type ConvertedTools<Tools extends ToolSet> = readonly AnyTool[] & { readonly [origin]?: Tools };

/**
 * The tool set that `toAiSdkTools` returns. The output of every tool is a {@link ToolResult}. If the tools come from
 * `fromAiSdkTools`, the set has their names and the types of their inputs; tools without `execute` are missing.
 */
export type HaftToolSet<Tools extends ToolSet = ToolSet> = string extends keyof Tools
  ? Record<string, HaftTool<Anything, Anything>>
  : { [Name in keyof Tools as NameOfRunnable<Tools[Name], Name>]: WithResults<Tools[Name]> };

type HaftTool<Input, Context> = ExecutableTool<Tool<Input, ToolResult, Context>>;

type ExecutableTool<Some extends Tool> = Some & { execute: NonNullable<Some['execute']> };

type WithResults<Given> =
  Given extends Tool<infer Input, Anything, infer Context> ? HaftTool<Input, Context> : HaftTool<Anything, Anything>;

/** `tool()` returns a type with a required `execute` if there is one. */
type NameOfRunnable<Given, Name> = [Given] extends [{ readonly execute: {} }] ? Name : never;
