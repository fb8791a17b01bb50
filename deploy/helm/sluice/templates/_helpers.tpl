{{- define "sluice.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "sluice.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains (include "sluice.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "sluice.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "sluice.selectorLabels" -}}
app.kubernetes.io/name: {{ include "sluice.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sluice.labels" -}}
{{ include "sluice.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "sluice.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (default $.Chart.AppVersion .tag) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "sluice.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "sluice.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- /* Returns "true" if the pod runs the embedded PostgreSQL. */ -}}
{{- define "sluice.isEmbedded" -}}
{{- if not .Values.database.existingSecret -}}true{{- end -}}
{{- end -}}

{{- /* Returns "true" if the pods store data on the volume. */ -}}
{{- define "sluice.usesVolume" -}}
{{- if or (include "sluice.isEmbedded" .) (not .Values.blobStore.s3Url) -}}true{{- end -}}
{{- end -}}

{{- define "sluice.claimName" -}}
{{- default (printf "%s-data" (include "sluice.fullname" .)) .Values.persistence.existingClaim -}}
{{- end -}}

{{- /* Rejects values that would lose uploads or prevent pods from starting. */ -}}
{{- define "sluice.assertValues" -}}
{{- $values := .Values -}}
{{- if include "sluice.isEmbedded" . -}}
{{- if or (gt (int $values.api.replicas) 1) (gt (int $values.worker.replicas) 1) $values.api.autoscaling.enabled $values.worker.autoscaling.enabled -}}
{{- fail "The embedded PostgreSQL supports only one pod. Set database.existingSecret to a secret with the URL of an external PostgreSQL, or set api.replicas and worker.replicas to 1 and both autoscaling.enabled to false." -}}
{{- end -}}
{{- else if and (not $values.blobStore.s3Url) (not (has "ReadWriteMany" $values.persistence.accessModes)) -}}
{{- fail "API and worker pods must share the blob store, which a ReadWriteOnce volume does not allow. Set blobStore.s3Url to s3://BUCKET/PREFIX, or persistence.accessModes to [ReadWriteMany] and persistence.storageClass to a class that supports it." -}}
{{- end -}}
{{- if and $values.blobStore.existingSecret (not $values.blobStore.s3Url) -}}
{{- fail "blobStore.existingSecret is set, but blobStore.s3Url is empty, so blobs would be stored on the volume. Set blobStore.s3Url to s3://BUCKET/PREFIX." -}}
{{- end -}}
{{- if lt (int $values.terminationGracePeriodSeconds) (add (int $values.drainSeconds) 15 | int) -}}
{{- fail (printf "terminationGracePeriodSeconds is %d, but a pod needs %d seconds to drain and up to 10 seconds to shut down. Set it to at least drainSeconds + 15 = %d." (int $values.terminationGracePeriodSeconds) (int $values.drainSeconds) (add (int $values.drainSeconds) 15)) -}}
{{- end -}}
{{- if and $values.worker.autoscaling.enabled (not $values.worker.autoscaling.prometheusUrl) -}}
{{- fail "worker.autoscaling requires a Prometheus server. Set worker.autoscaling.prometheusUrl, for example to http://prometheus.monitoring:9090." -}}
{{- end -}}
{{- range $role := list "api" "worker" -}}
{{- with index $values $role "autoscaling" -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- fail (printf "%s.autoscaling.minReplicas must not be greater than maxReplicas." $role) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Environment variables of a pod. Input: a dict with `root` and `role`. */ -}}
{{- define "sluice.env" -}}
{{- $values := .root.Values -}}
{{- $settings := dict "HOST" "0.0.0.0" "PORT" "8080" "SLUICE_OPERATIONS_PORT" "9090" "SLUICE_DATA_DIR" "/data" "LOG_LEVEL" $values.logLevel -}}
{{- if ne .role "worker" -}}
{{- $_ := set $settings "SLUICE_DRAIN_SECONDS" (toString $values.drainSeconds) -}}
{{- end -}}
{{- if ne .role "api" -}}
{{- $_ := set $settings "SLUICE_WORKERS" (index $values .role "threads" | toString) -}}
{{- end -}}
{{- with $values.publicUrl -}}
{{- $_ := set $settings "SLUICE_PUBLIC_URL" . -}}
{{- end -}}
{{- with $values.trustedProxies -}}
{{- $_ := set $settings "SLUICE_TRUSTED_PROXIES" (join "," .) -}}
{{- end -}}
{{- if $values.blobStore.s3Url -}}
{{- $_ := set $settings "SLUICE_BLOB_STORE" $values.blobStore.s3Url -}}
{{- $_ := set $settings "AWS_REGION" $values.blobStore.region -}}
{{- with $values.blobStore.endpointUrl -}}
{{- $_ := set $settings "AWS_ENDPOINT_URL" . -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := $values.settings -}}
{{- $_ := set $settings $name (toString $value) -}}
{{- end -}}
{{- range $name, $value := $settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with $values.database.existingSecret }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $values.database.secretKey }}
{{- end }}
{{- with $values.blobStore.existingSecret }}
- name: AWS_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $values.blobStore.accessKeyIdKey }}
- name: AWS_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $values.blobStore.secretAccessKeyKey }}
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Deployment of a role. Input: a dict with `root` and `role`. */ -}}
{{- define "sluice.deployment" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- $role := .role -}}
{{- $component := index $values $role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "sluice.fullname" $root }}{{ if ne $role "all" }}-{{ $role }}{{ end }}
  labels:
    {{- include "sluice.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  {{- if eq $role "all" }}
  replicas: 1
  # Two pods must never use the data directory at the same time.
  strategy:
    type: Recreate
  {{- else }}
  {{- if not $component.autoscaling.enabled }}
  replicas: {{ $component.replicas }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  {{- end }}
  selector:
    matchLabels:
      {{- include "sluice.selectorLabels" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
  template:
    metadata:
      labels:
        {{- include "sluice.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "sluice.serviceAccountName" $root }}
      automountServiceAccountToken: false
      # Service environment variables could collide with settings.
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      {{- with $values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      securityContext:
        {{- toYaml $values.podSecurityContext | nindent 8 }}
      containers:
        - name: sluice
          image: {{ include "sluice.image" $root | quote }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          args: [serve, --role, {{ $role }}]
          env:
            {{- include "sluice.env" . | trim | nindent 12 }}
          ports:
            {{- if ne $role "worker" }}
            - name: http
              containerPort: 8080
            {{- end }}
            - name: operations
              containerPort: 9090
          startupProbe:
            httpGet: {path: /health/live, port: operations}
            {{- toYaml $values.startupProbe | nindent 12 }}
          livenessProbe:
            httpGet: {path: /health/live, port: operations}
            {{- toYaml $values.livenessProbe | nindent 12 }}
          readinessProbe:
            httpGet: {path: /health/ready, port: operations}
            {{- toYaml $values.readinessProbe | nindent 12 }}
          resources:
            {{- toYaml $component.resources | nindent 12 }}
          securityContext:
            {{- toYaml $values.securityContext | nindent 12 }}
          volumeMounts:
            - name: data
              mountPath: /data
            - name: tmp
              mountPath: /tmp
            {{- if eq $role "all" }}
            - name: shared-memory
              mountPath: /dev/shm
            {{- end }}
      volumes:
        - name: data
          {{- if include "sluice.usesVolume" $root }}
          persistentVolumeClaim:
            claimName: {{ include "sluice.claimName" $root }}
          {{- else }}
          emptyDir: {sizeLimit: 1Mi}
          {{- end }}
        - name: tmp
          emptyDir: {sizeLimit: 64Mi}
        {{- if eq $role "all" }}
        # PostgreSQL needs more shared memory for parallel queries than the default of 64 MiB.
        - name: shared-memory
          emptyDir: {medium: Memory, sizeLimit: 256Mi}
        {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if $values.topologySpreadConstraints }}
      topologySpreadConstraints:
        {{- toYaml $values.topologySpreadConstraints | nindent 8 }}
      {{- else if ne $role "all" }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "sluice.selectorLabels" $root | nindent 14 }}
              app.kubernetes.io/component: {{ $role }}
      {{- end }}
{{- end -}}
