{{/* Name of everything in a release. */}}
{{- define "festinger.name" -}}
{{- if contains "festinger" .Release.Name -}}
{{ .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-festinger" .Release.Name | trunc 52 | trimSuffix "-" }}
{{- end -}}
{{- end }}

{{/* Labels that select the pods. */}}
{{- define "festinger.selector" -}}
app.kubernetes.io/name: festinger
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "festinger.labels" -}}
{{ include "festinger.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Image and rights of each container. */}}
{{- define "festinger.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: data, mountPath: /data}
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{/* Settings of each container. */}}
{{- define "festinger.settings" -}}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* Names by which the shim may be called. */}}
{{- define "festinger.hosts" -}}
{{- $name := include "festinger.name" . -}}
{{- $inside := list $name (printf "%s.%s" $name .Release.Namespace) (printf "%s.%s.svc" $name .Release.Namespace) (printf "%s.%s.svc.cluster.local" $name .Release.Namespace) -}}
[{{ concat $inside .Values.hosts | join ", " }}]
{{- end }}
