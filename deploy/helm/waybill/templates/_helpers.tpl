{{- define "waybill.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 53 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 53 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "waybill.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "waybill.labels" -}}
{{ include "waybill.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "waybill.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* DRAIN_DELAY_MS, SHUTDOWN_TIMEOUT_MS and 5 s to spare. */}}
{{- define "waybill.graceSeconds" -}}
{{ add (div (add (int .Values.config.DRAIN_DELAY_MS) (int .Values.config.SHUTDOWN_TIMEOUT_MS)) 1000) 5 }}
{{- end }}

{{- define "waybill.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "waybill.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* The authorities alone: a key in the same secret is not mounted. */}}
{{- define "waybill.caVolume" -}}
name: database-ca
{{- with .Values.database.ca }}
{{- if .configMap }}
configMap:
  name: {{ .configMap }}
{{- else }}
secret:
  secretName: {{ .secret }}
{{- end }}
  items:
    - { key: {{ .key }}, path: ca.crt }
{{- end }}
{{- end }}

{{- define "waybill.nameServers" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
  {{- with .Values.networkPolicy.nameServers }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{- define "waybill.databaseEgress" -}}
- ports:
    - { port: {{ .Values.databasePort }}, protocol: TCP }
  to:
    {{- toYaml .Values.databasePeers | nindent 4 }}
{{- end }}
